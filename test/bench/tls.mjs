import { constants, generateKeyPairSync, webcrypto } from 'node:crypto';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const day = 86_400_000;

/** The settings of the product's own listeners with client certificates. */
export const serverTlsOptions = ({ ca, server }, name) => ({
  cert: server.certificate,
  key: server.privateKey,
  ca: [ca],
  requestCert: true,
  rejectUnauthorized: true,
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
  honorCipherOrder: true,
  sessionIdContext: name,
  secureOptions: constants.SSL_OP_NO_TICKET,
});

/**
 * Makes a certificate authority, a server certificate for localhost and the certificate of one TPP, all RSA 2048.
 * @returns PEM texts: `{ ca, server: { certificate, privateKey }, client: { certificate, privateKey, subject } }`,
 * `subject` as RFC 4514 has it
 */
export async function createPki({ orgId, softwareId, authorityName = 'Bench Issuing CA' }) {
  const authorityKeys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: `C=GB, O=OpenBanking, CN=${authorityName}`,
    keys: authorityKeys,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 30 * day),
    signingAlgorithm: rsa,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });

  const issue = async (subject, extendedKeyUsage, extensions = []) => {
    const keys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: authority.subject,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: rsa,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 30 * day),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension(extendedKeyUsage),
        ...extensions,
      ],
    });
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { certificate: certificate.toString('pem'), privateKey: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') };
  };

  const localhost = new x509.SubjectAlternativeNameExtension([
    { type: 'dns', value: 'localhost' },
    { type: 'ip', value: '127.0.0.1' },
  ]);
  return {
    ca: authority.toString('pem'),
    server: await issue('CN=localhost', [x509.ExtendedKeyUsage.serverAuth], [localhost]),
    client: {
      ...(await issue(`C=GB, O=OpenBanking, OU=${orgId}, CN=${softwareId}`, [x509.ExtendedKeyUsage.clientAuth])),
      subject: `CN=${softwareId},OU=${orgId},O=OpenBanking,C=GB`,
    },
  };
}

/** An RSA 2048 key for PS256: the private JWK, the public JWK as a directory publishes it, and the key itself. */
export function createSigningKey(kid) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const members = { kid, use: 'sig', alg: 'PS256' };
  return {
    kid,
    privateKey,
    privateJwk: { ...privateKey.export({ format: 'jwk' }), ...members },
    publicJwk: { ...publicKey.export({ format: 'jwk' }), ...members },
  };
}
