import 'reflect-metadata'; // @peculiar/x509 needs it
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
} from '@peculiar/x509';
import type { Credential } from './target.js';

cryptoProvider.set(webcrypto);

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const hour = 3_600_000;

/**
 * Makes a certificate that looks like a good one and was issued by nobody: the same subject, and an authority of the same
 * name with a key of our own.
 * @param like the certificate to imitate
 */
export async function forgeCredential(like: string | undefined, now: Date): Promise<Credential> {
  const model = like === undefined ? undefined : new X509Certificate(like);
  const subject = model?.subjectName.toJSON() ?? [{ CN: ['nobody'] }];
  const issuer = model?.issuerName.toJSON() ?? [{ CN: ['Authority of nobody'] }];
  const [authorityKeys, keys] = await Promise.all([generateKeys(), generateKeys()]);
  const dates = { notBefore: new Date(now.getTime() - hour), notAfter: new Date(now.getTime() + hour) };
  const common = { signingAlgorithm: algorithm, signingKey: authorityKeys.privateKey, ...dates };
  const authority = await X509CertificateGenerator.create({
    ...common,
    serialNumber: serialNumber(),
    subject: issuer,
    issuer,
    publicKey: authorityKeys.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const certificate = await X509CertificateGenerator.create({
    ...common,
    serialNumber: serialNumber(),
    subject,
    issuer,
    publicKey: keys.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
    ],
  });
  const privateKey = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return {
    certificate: `${certificate.toString('pem')}\n${authority.toString('pem')}\n`,
    privateKey: `${PemConverter.encode(privateKey, 'PRIVATE KEY')}\n`,
  };
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function serialNumber(): string {
  return `4${randomBytes(15).toString('hex').slice(1)}`;
}
