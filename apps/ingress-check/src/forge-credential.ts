import 'reflect-metadata'; // @peculiar/x509 needs it
import { randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
  type JsonName,
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

const nobody: JsonName = [{ CN: ['Unknown authority'] }];

/**
 * Makes certificates that look like a good one and that no authority has issued.
 * @param like the certificate to imitate
 * @returns one of an authority with another name, and one of an authority with the same name; each with a key of our
 * own
 */
export async function forgeCredentials(like: string | undefined, now: Date): Promise<Credential[]> {
  const model = like === undefined ? undefined : new X509Certificate(like);
  const subject = model?.subjectName.toJSON() ?? [{ CN: ['nobody'] }];
  const issuers = model === undefined ? [nobody] : [nobody, model.issuerName.toJSON()];
  return Promise.all(issuers.map((issuer) => forge(subject, issuer, now)));
}

/** @returns a server's certificate for these hosts, of an authority that nobody trusts */
export function forgeServerCredential(hosts: readonly string[], now: Date): Promise<Credential> {
  return forge([{ CN: [hosts[0] ?? 'nobody'] }], nobody, now, hosts);
}

/** @param hosts none: a client's certificate */
async function forge(
  subject: JsonName,
  issuer: JsonName,
  now: Date,
  hosts: readonly string[] = [],
): Promise<Credential> {
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
      new ExtendedKeyUsageExtension([hosts.length > 0 ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth]),
      ...(hosts.length > 0
        ? [new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns' as const, value })))]
        : []),
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
