import type { HttpsServer } from '../create-https-server.js';
import type { Issuer } from '../trust/issue-certificate.js';
import { answerOcspRequest } from '../trust/ocsp-response.js';
import { createRevocationList } from '../trust/revocation-list.js';
import type { RevokedCertificates } from '../trust/revoked-certificates.js';

/** The sandbox's authority publishes its revocation list (RFC 5280 s5) and answers OCSP (RFC 6960 appendix A). */
export function serveRevocation(
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
