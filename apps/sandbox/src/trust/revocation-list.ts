import { X509Certificate, X509CrlGenerator } from '@peculiar/x509';
import { importSigningKey, signatureAlgorithm, type Issuer } from './issue-certificate.js';
import type { RevokedCertificate } from './revoked-certificates.js';

const oneDay = 24 * 60 * 60 * 1_000;

/**
 * @param options.issuer the authority
 * @returns its certificate revocation list (RFC 5280 s5), good for a day: DER
 */
export async function createRevocationList(options: {
  issuer: Issuer;
  revoked: readonly RevokedCertificate[];
  now: Date;
}): Promise<Buffer> {
  const { issuer, revoked, now } = options;
  const list = await X509CrlGenerator.create({
    issuer: new X509Certificate(issuer.certificate).subjectName.toJSON(),
    thisUpdate: now,
    nextUpdate: new Date(now.getTime() + oneDay),
    entries: revoked.map(({ serialNumber, revokedAt }) => ({ serialNumber, revocationDate: new Date(revokedAt) })),
    signingAlgorithm: signatureAlgorithm,
    signingKey: await importSigningKey(issuer.privateKey),
  });
  return Buffer.from(list.rawData);
}
