import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { tlsOptions } from '#libs/http-server';
import { aCertificate, type TestCertificate } from '../../../../test/support/certificates.js';
import { attackTls } from './tls-attacks.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isPostQuantum = major > 24 || (major === 24 && minor >= 5);

let server: Server;
let authority: TestCertificate;

beforeAll(async () => {
  authority = await aCertificate({ profile: 'authority', name: 'Authority' });
  const own = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
  const tls = { certificate: own.certificate, privateKey: own.privateKeyPem, clientCertificateSource: 'tls' };
  server = createServer(
    tlsOptions({ tls: { ...tls, clientTrustAnchors: [] } } as unknown as Config, 'one-way'),
    (_request, response) => response.end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a listener', () => {
  it('agrees on X25519MLKEM768 where Node has it; the check names suite and group', async () => {
    const { port } = server.address() as AddressInfo;
    const target = { profile: 'authorize', host: 'localhost', port, address: '127.0.0.1', connectPort: port } as const;
    const rows = await attackTls({ ca: authority.certificate }, target);
    expect(Object.fromEntries(rows.map(({ attack, detail }) => [attack, detail]))).toMatchObject({
      'control: TLSv1.2 is spoken': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, X25519',
      'control: TLSv1.3 is spoken': `TLS_AES_256_GCM_SHA384, ${isPostQuantum ? 'X25519MLKEM768' : 'X25519'}`,
    });
  });
});
