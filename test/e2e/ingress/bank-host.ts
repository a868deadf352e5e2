import 'reflect-metadata'; // @peculiar/x509 needs it
import { generateKeyPairSync, randomBytes, webcrypto } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
} from '@peculiar/x509';
import {
  importSigningKey,
  issueCertificate,
  signatureAlgorithm,
  type Issuer,
} from '../../support/apps/certificates.js';
import { revocationAddresses } from '../../support/apps/trust.js';
import type { TestCertificate } from '../../support/certificates.js';

cryptoProvider.set(webcrypto);

/** The applications, by the names that the configurations in deploy/ingress use. */
export const bankHosts = {
  authorize: 'auth.bank.example',
  token: 'token.bank.example',
  api: 'api.bank.example',
} as const;
export type AppName = keyof typeof bankHosts;
export const appNames = Object.keys(bankHosts) as AppName[];

const hour = 3_600_000;

/** @returns a server's certificate for these host names */
export async function aHostCertificate(names: readonly string[], issuer: Issuer): Promise<TestCertificate> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = await X509CertificateGenerator.create({
    serialNumber: `4${randomBytes(15).toString('hex').slice(1)}`,
    subject: [{ CN: [names[0] ?? ''] }],
    issuer: new X509Certificate(issuer.certificate).subjectName.toJSON(),
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 24 * hour),
    publicKey: await webcrypto.subtle.importKey(
      'spki',
      publicKey.export({ type: 'spki', format: 'der' }),
      signatureAlgorithm,
      true,
      ['verify'],
    ),
    signingKey: await importSigningKey(issuer.privateKey),
    signingAlgorithm: signatureAlgorithm,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
    ],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    privateKey,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** @returns a TPP's certificate that differs from this one in its key and its dates */
export async function aClientCertificate(
  like: string,
  options: { issuer: Issuer; now: Date; directoryUrl: string },
): Promise<{ certificate: string; privateKey: string }> {
  const { issuer, now, directoryUrl } = options;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const certificate = await issueCertificate({
    profile: 'transport',
    subject: new X509Certificate(like).subjectName.toJSON(),
    key,
    issuer,
    days: 1,
    now,
    revocation: revocationAddresses(directoryUrl),
  });
  return { certificate, privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** Writes certificates and keys where a configuration looks for them. */
export async function writeCredentials(
  folder: string,
  credentials: Readonly<Record<string, { certificate: string; privateKeyPem: string }>>,
): Promise<void> {
  for (const [name, { certificate, privateKeyPem }] of Object.entries(credentials)) {
    await writeFile(join(folder, `${name}-certificate.pem`), certificate);
    await writeFile(join(folder, `${name}-key.pem`), privateKeyPem, { mode: 0o600 });
  }
}
