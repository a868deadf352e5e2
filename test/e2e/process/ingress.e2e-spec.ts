import { type Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadSandboxConfig } from '../../support/load-sandbox-config.js';
import { createApiApp, createTokenApp } from '../../support/apps/service.js';
import { sandboxEnvironment } from '../../support/apps/sandbox.js';
import { ensureTrustFramework, type TrustFramework } from '../../support/apps/trust.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { aCertificate, type TestCertificate } from '../../support/certificates.js';
import { expectBodiless } from '../../support/expectations.js';
import { httpsAgent, httpsRequest } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

/** The forms in which an ingress forwards the client's certificate. */
type ForwardedForm = 'client-cert' | 'nginx' | 'envoy';

/** @returns the header with which an ingress passes a certificate on */
function forwardedCertificate(form: ForwardedForm, pem: string): Record<string, string> {
  const certificate = new X509Certificate(pem);
  const escaped = encodeURIComponent(certificate.toString());
  switch (form) {
    case 'client-cert':
      return { 'client-cert': `:${certificate.raw.toString('base64')}:` };
    case 'nginx':
      return { 'ssl-client-cert': escaped };
    case 'envoy':
      return { 'x-forwarded-client-cert': `Hash=ignored;Cert="${escaped}"` };
  }
}

/** An ingress that ends TLS: requests the client's certificate and forwards it in a header. */
class Ingress {
  private constructor(private readonly server: Server) {}

  /**
   * @param options.certificate its server certificate
   * @param options.clientAuthority PEM of the authority of the clients' certificates
   * @param options.upstream address of the application
   * @param options.agent with which it connects to the application
   */
  static async start(options: {
    certificate: string;
    privateKey: string;
    clientAuthority: string;
    form: ForwardedForm;
    upstream: string;
    agent: Agent;
  }): Promise<Ingress> {
    const { certificate, privateKey, clientAuthority, form, upstream, agent } = options;
    const tls = {
      cert: certificate,
      key: privateKey,
      ca: [clientAuthority],
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = createServer(tls, (incoming, outgoing) => {
      const { socket } = incoming;
      const peer = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
      const forwarded = peer ? forwardedCertificate(form, peer.toString()) : {};
      const headers = { ...incoming.headers, ...forwarded };
      const onward = request(`${upstream}${incoming.url}`, { method: incoming.method, headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.writeHead(502).end());
      incoming.pipe(onward);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Ingress(server);
  }

  /** Its address. */
  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const forms: ForwardedForm[] = ['client-cert', 'nginx', 'envoy'];

let sandbox: TestSandbox;
let trust: TrustFramework;
let ingressAuthority: TestCertificate;
/** connects as the ingress does, with its own certificate */
let ingressAgent: Agent;

beforeAll(async () => {
  sandbox = await startTestSandbox({ only: [] });
  trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
  ingressAuthority = await aCertificate({ profile: 'authority', name: 'Authority of the ingress' });
  const own = await aCertificate({ profile: 'bank-client', name: 'ingress', issuer: ingressAuthority });
  ingressAgent = httpsAgent({ ca: sandbox.ca, certificate: own.certificate, privateKey: own.privateKeyPem });
});

afterAll(async () => {
  ingressAgent?.destroy();
  await sandbox?.stop();
});

/** One of the applications behind an ingress of this form. */
async function startApp(
  create: typeof createApiApp,
  form: ForwardedForm,
  ingressAddresses = '127.0.0.0/8',
): Promise<{ app: NestFastifyApplication; url: string }> {
  const { directory, ports, databaseUrl } = sandbox;
  const overrides = {
    LOG_LEVEL: 'error',
    ACCESS_TOKEN_SECONDS: '3600',
    CLIENT_CERTIFICATE_SOURCE: form,
    INGRESS_ADDRESSES: ingressAddresses,
    INGRESS_TRUST_ANCHORS: ingressAuthority.certificate,
  };
  const app = await create(
    await loadSandboxConfig(sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides })),
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `https://localhost:${port}` };
}

async function startIngress(form: ForwardedForm, upstream: string): Promise<Ingress> {
  const { certificate, privateKey } = trust.server;
  return Ingress.start({
    certificate,
    form,
    upstream,
    clientAuthority: sandbox.ca,
    agent: ingressAgent,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
}

/** The first TPP's signing certificate, which is not for TLS. */
function signingCertificateFile(): string {
  return sandbox.description.tpps[0]?.signing_key_file.replace('signing-private-key', 'signing-certificate') ?? '';
}

describe.each(forms)('behind an ingress that passes the certificate on as %s', (form) => {
  const path = '/open-banking/v3.1/pisp/file-payment-consents';
  const running: { stop: () => Promise<unknown> }[] = [];
  let api: string;
  let tpp: TestTpp;
  let otherTpp: TestTpp;
  let consentPath: string;

  beforeAll(async () => {
    const [apiApp, tokenApp] = [await startApp(createApiApp, form), await startApp(createTokenApp, form)];
    api = apiApp.url;
    const [apiIngress, tokenIngress] = [await startIngress(form, api), await startIngress(form, tokenApp.url)];
    running.push(apiIngress, tokenIngress, ...[apiApp, tokenApp].map(({ app }) => ({ stop: () => app.close() })));
    const jwksUri = `${sandbox.description.directory.base_url}/directory.jwks`;
    const description = {
      ...sandbox.description,
      base_url: apiIngress.url,
      registration_endpoint: `${apiIngress.url}/open-banking/v3.2/register`,
      token_endpoint: `${tokenIngress.url}/oauth2/token`,
      // The authorize app does not run here; nothing of it is needed.
      jwks_uri: jwksUri,
    };
    const access = { description, ca: sandbox.ca, agent: sandbox.agent };
    tpp = await aTpp(access);
    otherTpp = await aTpp(access, { index: 1 });
    consentPath = `${path}/${await tpp.stageConsent()}`;
  });

  afterAll(async () => {
    tpp?.close();
    otherTpp?.close();
    for (const part of running) await part.stop();
  });

  /** Straight to the application, past the ingress or in its place. */
  const direct = (agent: Agent, headers: Record<string, string | string[]>) =>
    httpsRequest({
      url: `${api}${consentPath}`,
      agent,
      headers: { authorization: `Bearer ${tpp.accessToken}`, accept: 'application/json', ...headers },
    });
  const ownCertificate = () => forwardedCertificate(form, tpp.credentials.transportCertificate);

  it('registers, issues tokens and stages consents for the TPP in front of it', async () => {
    const response = await tpp.get(consentPath.slice('/open-banking/v3.1/pisp'.length));
    expect(response.status).toBe(200);
    expect((await direct(ingressAgent, ownCertificate())).status).toBe(200);
  });

  it('binds the token to the certificate that was passed on', async () => {
    const foreign = forwardedCertificate(form, otherTpp.credentials.transportCertificate);
    expectBodiless(await direct(ingressAgent, foreign), 401);
    expectBodiless(await direct(ingressAgent, {}), 401);
  });

  it('trusts only the ingress', async () => {
    // Without a certificate of one's own, with the TPP's, and with one of another authority of the same name.
    const impostor = await aCertificate({ profile: 'authority', name: 'Authority of the ingress' });
    const forged = await aCertificate({ profile: 'bank-client', name: 'ingress', issuer: impostor });
    const { ca } = sandbox;
    const forgedAgent = httpsAgent({ ca, certificate: forged.certificate, privateKey: forged.privateKeyPem });
    for (const agent of [sandbox.agent, tpp.agent, forgedAgent]) {
      expectBodiless(await direct(agent, ownCertificate()), 401);
      expectBodiless(await direct(agent, {}), 401);
    }
    forgedAgent.destroy();
  });

  it('verifies the chain again itself', async () => {
    const selfSigned = await aCertificate({ profile: 'transport', name: tpp.credentials.orgId });
    expectBodiless(await direct(ingressAgent, forwardedCertificate(form, selfSigned.certificate)), 401);
    const signing = await readFile(resolve(signingCertificateFile()), 'utf8');
    expectBodiless(await direct(ingressAgent, forwardedCertificate(form, signing)), 401);
  });

  it('takes no header that comes twice', async () => {
    const [[name = '', value = ''] = []] = Object.entries(ownCertificate());
    expect((await direct(ingressAgent, { [name]: [value] })).status).toBe(200);
    expectBodiless(await direct(ingressAgent, { [name]: [value, value] }), 401);
    expectBodiless(await direct(ingressAgent, { [name]: ['garbage', value] }), 401);
  });

  it('reads no other header than its own', async () => {
    for (const other of forms.filter((candidate) => candidate !== form)) {
      const headers = forwardedCertificate(other, tpp.credentials.transportCertificate);
      expectBodiless(await direct(ingressAgent, headers), 401);
      // Beside its own it counts for nothing, and tells that the ingress takes too little away: then its own does not
      // count either.
      expectBodiless(await direct(ingressAgent, { ...ownCertificate(), ...headers }), 401);
    }
    const [[name = '', value = ''] = []] = Object.entries(ownCertificate());
    expectBodiless(await direct(ingressAgent, { [name]: `${value.slice(0, 40)}%00` }), 401);
  });

  it('believes the ingress only at its address', async () => {
    const elsewhere = await startApp(createApiApp, form, '192.0.2.1,2001:db8::/32');
    try {
      const response = await httpsRequest({
        url: `${elsewhere.url}${consentPath}`,
        agent: ingressAgent,
        headers: { authorization: `Bearer ${tpp.accessToken}`, ...ownCertificate() },
      });
      expectBodiless(response, 401);
    } finally {
      await elsewhere.app.close();
    }
  });
});

it('a header counts for nothing where TLS ends in the application', async () => {
  const { directory, ports, databaseUrl } = sandbox;
  const overrides = { LOG_LEVEL: 'error' };
  const config = await loadSandboxConfig(sandboxEnvironment({ directory, ports, databaseUrl, trust, overrides }));
  const app = await createApiApp(config);
  await app.listen(0, '127.0.0.1');
  try {
    const { port } = app.getHttpServer().address() as AddressInfo;
    const certificate = await readFile(resolve(sandbox.description.tpps[0]?.transport_cert_file ?? ''), 'utf8');
    for (const form of forms) {
      const response = await httpsRequest({
        url: `https://localhost:${port}/open-banking/v3.1/pisp/file-payment-consents/x`,
        agent: ingressAgent,
        headers: { authorization: 'Bearer x', ...forwardedCertificate(form, certificate) },
      });
      expectBodiless(response, 401);
    }
  } finally {
    await app.close();
  }
});
