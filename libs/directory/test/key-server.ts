import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as x509 from '@peculiar/x509';

/** A key store on a loopback port with its own certificate for `localhost`: test material. */
export interface KeyServer {
  host: string;
  ca: string;
  requestCount: () => number;
  answer: (listener: RequestListener) => void;
  close: () => Promise<void>;
}

const notFound: RequestListener = (_request, response) => response.writeHead(404).end();

export async function startKeyServer(): Promise<KeyServer> {
  const { certificate, key } = await issueServerCertificate();
  let listener = notFound;
  let count = 0;
  const server: Server = createServer({ cert: certificate, key }, (request, response) => {
    count += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `localhost:${(server.address() as AddressInfo).port}`,
    ca: certificate,
    requestCount: () => count,
    answer: (next) => {
      listener = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function issueServerCertificate(): Promise<{ certificate: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=localhost',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 3_600_000),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`,
  };
}
