import type { Logger } from 'pino';
import type { SigningKey } from '#libs/jws';
import { createHttpsServer, type HttpsServer } from '../create-https-server.js';
import type { Issuer } from '../trust/issue-certificate.js';
import type { DirectoryJwk } from '../trust/json-web-keys.js';
import type { Software } from '../trust/software.js';
import type { SoftwareRegistry } from '../trust/software-registry.js';
import { createSoftwareStatement } from '../trust/software-statement.js';
import type { RevokedCertificates } from '../trust/revoked-certificates.js';
import type { Credential } from '../trust/trust-framework.js';
import { answerOcspRequest } from '../trust/ocsp-response.js';
import { createRevocationList } from '../trust/revocation-list.js';

/** No key is ever revoked here, only certificates (serveRevocation). */
const noKeys = { keys: [] };

/**
 * The sandbox's stand-in for the Open Banking directory: its own key set, those of organisations and software, the
 * (empty) sets of revoked keys, fresh software statements, and what the sandbox's authority has revoked.
 * @param options.directoryUrl its future address, without a slash at the end
 */
export function createDirectoryServer(options: {
  registry: SoftwareRegistry;
  signingKey: SigningKey;
  directoryUrl: string;
  credential: Credential;
  authority: Issuer;
  revokedCertificates: RevokedCertificates;
  log: Logger;
}): HttpsServer {
  const { registry, signingKey, directoryUrl, credential, log } = options;
  const server = createHttpsServer({ name: 'sandbox-directory', credential, log });

  server.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-cache');
  });

  server.get('/directory.jwks', () => ({ keys: [signingKey.publicJwk] }));

  server.get<{ Params: { orgId: string; file: string } }>('/:orgId/:file', async (request, reply) => {
    const id = parseKeySetName(request.params.file);
    const keys = id && (await findKeys(registry, request.params.orgId, id));
    return keys ? { keys } : reply.callNotFound();
  });

  server.get<{ Params: { orgId: string; file: string } }>('/:orgId/revoked/:file', async (request, reply) => {
    const id = parseKeySetName(request.params.file);
    const keys = id && (await findKeys(registry, request.params.orgId, id));
    return keys ? noKeys : reply.callNotFound();
  });

  server.get<{ Params: { orgId: string; softwareId: string } }>(
    '/:orgId/:softwareId/software-statement',
    async (request, reply) => {
      const software = await registry.find(request.params.orgId, request.params.softwareId);
      if (!software) return reply.callNotFound();
      const statement = await createSoftwareStatement({ software, directoryUrl, key: signingKey, now: new Date() });
      return reply.type('application/jwt').send(statement);
    },
  );

  serveRevocation(server, options);
  return server;
}

function parseKeySetName(file: string): string | undefined {
  return /^([0-9A-Za-z]+)\.jwks$/.exec(file)?.[1];
}

/** @returns the keys of a piece of software, or of all software if the id is that of the organisation */
async function findKeys(registry: SoftwareRegistry, orgId: string, id: string): Promise<DirectoryJwk[] | undefined> {
  if (id !== orgId) return (await registry.find(orgId, id))?.keys;
  const ofOrganisation = (await registry.list()).filter((software: Software) => software.orgId === orgId);
  return ofOrganisation.length > 0 ? ofOrganisation.flatMap(({ keys }) => keys) : undefined;
}

/** The sandbox's authority publishes its revocation list (RFC 5280 s5) and answers OCSP (RFC 6960 appendix A). */
function serveRevocation(
  server: HttpsServer,
  { authority: issuer, revokedCertificates }: { authority: Issuer; revokedCertificates: RevokedCertificates },
): void {
  const answer = async (request: Buffer): Promise<Buffer> =>
    answerOcspRequest({ request, issuer, revoked: await revokedCertificates.list(), now: new Date() });

  server.addContentTypeParser('application/ocsp-request', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });

  server.get('/certificate-authority.crl', async (_request, reply) => {
    const list = await createRevocationList({ issuer, revoked: await revokedCertificates.list(), now: new Date() });
    return reply.type('application/pkix-crl').send(list);
  });

  server.post<{ Body: Buffer }>('/ocsp', async ({ body }, reply) =>
    reply.type('application/ocsp-response').send(await answer(body)),
  );

  server.get<{ Params: { request: string } }>('/ocsp/:request', async ({ params }, reply) =>
    reply.type('application/ocsp-response').send(await answer(Buffer.from(params.request, 'base64'))),
  );
}
