import { AuthorityKeyIdentifierExtension, Extension, X509Certificate, X509CrlGenerator } from '@peculiar/x509';
import { importSigningKey, signatureAlgorithm, type Issuer } from './issue-certificate.js';
import type { RevokedCertificate } from './revoked-certificates.js';

const oneDay = 24 * 60 * 60 * 1_000;

/**
 * @param options.issuer the authority
 * @returns its certificate revocation list (RFC 5280 s5), valid for a day: DER
 */
export async function createRevocationList(options: {
  issuer: Issuer;
  revoked: readonly RevokedCertificate[];
  now: Date;
}): Promise<Buffer> {
  const { issuer, revoked, now } = options;
  const authority = new X509Certificate(issuer.certificate);
  const list = await X509CrlGenerator.create({
    issuer: authority.subjectName.toJSON(),
    thisUpdate: now,
    nextUpdate: new Date(now.getTime() + oneDay),
    entries: revoked.map(({ serialNumber, revokedAt }) => ({ serialNumber, revocationDate: new Date(revokedAt) })),
    // Every list must have both extensions (RFC 5280 s5.2.1, s5.2.3).
    extensions: [await AuthorityKeyIdentifierExtension.create(authority.publicKey), createListNumber(now)],
    signingAlgorithm: signatureAlgorithm,
    signingKey: await importSigningKey(issuer.privateKey),
  });
  return Buffer.from(list.rawData);
}

/** cRLNumber, which grows from list to list: the milliseconds since 1970, an INTEGER of six bytes. */
function createListNumber(now: Date): Extension {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(0x02, 0);
  bytes.writeUInt8(6, 1);
  bytes.writeUIntBE(now.getTime(), 2, 6);
  return new Extension('2.5.29.20', false, bytes);
}
