import { X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { publicMode, writeFileAtomically } from '../write-file-atomically.js';
import { type CertificateRequest, issueCertificate, type RevocationAddresses } from './issue-certificate.js';

/** A certificate with less time left is made again, so that none expires while the sandbox runs. */
const leastDaysLeft = 30;

const oneDay = 24 * 60 * 60 * 1_000;

/**
 * @param options.pem the certificate
 * @param options.key the private key it must be for
 * @param options.authority certificate of the authority that must have signed it
 * @param options.revocation addresses that must be in it
 * @returns whether the certificate can be used for another month
 */
export function isCurrentCertificate(options: {
  pem: string;
  key: KeyObject;
  authority?: string;
  revocation?: RevocationAddresses;
  now: Date;
}): boolean {
  const certificate = new X509Certificate(options.pem);
  const authority = options.authority ? new X509Certificate(options.authority) : certificate;
  return (
    certificate.checkPrivateKey(options.key) &&
    certificate.verify(authority.publicKey) &&
    // The directory may have moved to another port since the certificate was issued.
    (options.revocation === undefined || certificate.raw.includes(options.revocation.list)) &&
    Date.parse(certificate.validFrom) <= options.now.getTime() &&
    Date.parse(certificate.validTo) - options.now.getTime() > leastDaysLeft * oneDay
  );
}

/**
 * Reads a certificate; issues it if there is none, or if it expires soon or no longer matches key and authority.
 * @param options.path of the PEM file
 * @returns the certificate as PEM
 */
export async function ensureCertificate(options: CertificateRequest & { path: string }): Promise<string> {
  const { path, key, issuer, now, revocation } = options;
  const pem = await readFile(path, 'utf8').catch(() => undefined); // absent: the first start
  const expected = { ...(issuer && { authority: issuer.certificate }), ...(revocation && { revocation }) };
  if (pem && isCurrentCertificate({ pem, key, now, ...expected })) return pem;
  const issued = await issueCertificate(options);
  await writeFileAtomically(path, issued, publicMode);
  return issued;
}
