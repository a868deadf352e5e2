import type { X509Certificate } from 'node:crypto';
import { certificateFieldsOf, readExtensions, readFirstObjectIdentifier } from './certificate-fields.js';
import { CertificateError, RevocationError } from './certificate.errors.js';
import { isDerTime, readDerTime } from './der-time.js';
import { derTag, readDerElement, readDerElements, type DerElement } from './der.js';
import { allowsKeyUsage, keyUsageBit } from './verify-certificate-profile.js';
import { isSignedByCertificate } from './verify-signature-of-issuer.js';

/** An authority's revocation information, and its validity. */
export interface RevocationPeriod {
  thisUpdate: Date;
  /** from then on it is out of date */
  nextUpdate: Date;
}

/** A verified certificate revocation list, reduced to the query that it answers. */
export interface RevocationList extends RevocationPeriod {
  /** @param certificate of the same authority */
  isRevoked: (certificate: X509Certificate) => boolean;
}

/** Most fields that a TBSCertList can have. A longer sequence is not a list; it is not parsed further. */
const maxFields = 8;

/** Tolerance for an authority's clock that is ahead. */
const clockToleranceMilliseconds = 60_000;

/**
 * Reads and verifies the complete revocation list of an authority (RFC 5280 s5, s6.3). It is read element by element:
 * the ASN.1 classes refuse lists of some thousand entries.
 * @param options.der the bytes
 * @param options.issuer the authority, verified
 * @throws RevocationError for a list that is another's, not signed by it, out of date, a delta, or about a part only
 */
export function parseRevocationList(options: { der: Buffer; issuer: X509Certificate; now: Date }): RevocationList {
  try {
    return parse(options);
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    throw new RevocationError('malformed', 'The revocation list is not encoded as RFC 5280 says.', { cause });
  }
}

function parse({ der, issuer, now }: Parameters<typeof parseRevocationList>[0]): RevocationList {
  const list = readList(der);
  if (!list.issuer.encoded.equals(certificateFieldsOf(issuer).subject.encoded)) {
    throw new RevocationError('other-issuer', 'The revocation list was issued by another authority.');
  }
  // RFC 5280 s6.3.3 (f).
  if (!allowsKeyUsage(issuer, keyUsageBit.cRLSign)) {
    throw new RevocationError('signature', 'The key of the authority may not sign revocation lists.');
  }
  // The signature check (GHSA-38cg-gg9j-q9j9: a list whose signature was not verified).
  if (!isSignedByCertificate({ ...list, data: list.signed, signer: issuer })) {
    throw new RevocationError('signature', 'The revocation list is not signed by its authority.');
  }
  verifyExtensions(list.extensions);
  verifyRevocationPeriod(list, now);
  const serials = new Set(readDerElements(list.entries).map(readSerial));
  const { thisUpdate, nextUpdate } = list;
  return { thisUpdate, nextUpdate, isRevoked: (certificate) => serials.has(serialOf(certificate)) };
}

/** @throws RevocationError `not-yet-valid` or `expired` */
export function verifyRevocationPeriod({ thisUpdate, nextUpdate }: RevocationPeriod, now: Date): void {
  if (thisUpdate.getTime() > now.getTime() + clockToleranceMilliseconds) {
    throw new RevocationError('not-yet-valid', 'The revocation list or OCSP answer is not valid yet.');
  }
  if (nextUpdate.getTime() <= now.getTime()) {
    throw new RevocationError('expired', 'The revocation list or OCSP answer is out of date.');
  }
}

interface ListFields extends RevocationPeriod {
  signed: Buffer;
  signatureAlgorithm: string;
  signature: Buffer;
  issuer: DerElement;
  /** contents of revokedCertificates; parsed only after the signature is verified */
  entries: Buffer;
  extensions: Buffer | undefined;
}

function readList(der: Buffer): ListFields {
  const [tbs, algorithm, signature] = readDerElements(readDerElement(der, derTag.sequence), maxFields);
  if (tbs?.tag !== derTag.sequence || algorithm === undefined || signature?.tag !== derTag.bitString) throw malformed();
  const fields = readDerElements(tbs.contents, maxFields);
  // The version is first, if present.
  if (fields[0]?.tag === derTag.integer) fields.shift();
  const [innerAlgorithm, issuer, thisUpdate, nextUpdate, ...rest] = fields;
  // A list without an end could be an old one played back forever.
  if (issuer === undefined || !isDerTime(thisUpdate) || !isDerTime(nextUpdate)) throw malformed();
  if (!innerAlgorithm?.encoded.equals(algorithm.encoded)) throw malformed();
  const revoked = rest.find(({ tag }) => tag === derTag.sequence);
  return {
    signed: tbs.encoded,
    signatureAlgorithm: readFirstObjectIdentifier(algorithm.contents),
    signature: signature.contents.subarray(1),
    issuer,
    thisUpdate: readDerTime(thisUpdate),
    nextUpdate: readDerTime(nextUpdate),
    entries: revoked?.contents ?? Buffer.alloc(0),
    extensions: rest.find(({ tag }) => tag === derTag.crlExtensions)?.contents,
  };
}

/**
 * Refuses every critical extension: the ones that exist make a list one about some certificates, some reasons or the
 * changes since another list, and such a list must not pass for a complete one (RFC 5280 s5.2).
 */
function verifyExtensions(bytes: Buffer | undefined): void {
  if (bytes === undefined) return;
  for (const { oid, isCritical } of readExtensions(bytes).values()) {
    if (isCritical)
      throw new RevocationError('critical-extension', `The list has the unknown critical extension ${oid}.`);
  }
}

function readSerial(entry: DerElement): string {
  const [serial] = readDerElements(entry.contents);
  if (serial?.tag !== derTag.integer) throw malformed();
  return serial.contents.toString('hex');
}

function serialOf(certificate: X509Certificate): string {
  return certificateFieldsOf(certificate).serialNumber.toString('hex');
}

function malformed(): CertificateError {
  return new CertificateError('malformed', 'The revocation list lacks a required field.');
}
