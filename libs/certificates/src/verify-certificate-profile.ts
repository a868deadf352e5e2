import type { X509Certificate } from 'node:crypto';
import { certificateFieldsOf, readFirstObjectIdentifier } from './certificate-fields.js';
import { CertificateError } from './certificate.errors.js';
import { derTag, readDerElement, readDerElements, readObjectIdentifier } from './der.js';

const basicConstraints = '2.5.29.19';
const keyUsage = '2.5.29.15';
/**
 * qcStatements (RFC 3739 s3.2.6); in it the statement QcType, and its value for web sites (ETSI EN 319 412-5 s4.2.3).
 */
const qcStatements = '1.3.6.1.5.5.7.1.3';
const qcType = '0.4.0.1862.1.6';
const qcTypeWeb = '0.4.0.1862.1.6.3';
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** The extensions that this code, or OpenSSL before it, understands. */
const understoodExtensions: ReadonlySet<string> = new Set([
  basicConstraints,
  keyUsage,
  '2.5.29.37', // extKeyUsage
  '2.5.29.17', // subjectAltName
  '2.5.29.32', // certificatePolicies: no policy is asked for, so every set of policies will do
]);

/** Signatures whose hash no longer binds: MD2, MD5 and SHA-1 with RSA, DSA or ECDSA. */
const weakSignatureAlgorithms: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.2',
  '1.2.840.113549.1.1.4',
  '1.2.840.113549.1.1.5',
  '1.2.840.10040.4.3',
  '1.2.840.10045.4.1',
]);

/** OpenSSL's names of P-256, P-384 and P-521. */
const strongCurves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Bits of KeyUsage, RFC 5280 s4.2.1.3; bit 0 is the highest bit of the first byte. */
export const keyUsageBit = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 } as const;

/**
 * @throws CertificateError `not-yet-valid` or `expired`; both ends of the period belong to it (RFC 5280 s4.1.2.5)
 */
export function verifyValidityPeriod(certificate: X509Certificate, now: Date): void {
  const notBefore = Date.parse(certificate.validFrom);
  const notAfter = Date.parse(certificate.validTo);
  // Written so that an unreadable date fails too. validTo has whole seconds.
  if (!(notBefore <= now.getTime())) throw new CertificateError('not-yet-valid', 'A certificate is not valid yet.');
  if (!(now.getTime() < notAfter + 1_000)) throw new CertificateError('expired', 'A certificate has expired.');
}

/**
 * A certificate for TLS client authentication: not one that only signs documents.
 * @throws CertificateError `extended-key-usage`, `key-usage`, `critical-extension`, `weak-algorithm`, `malformed`
 */
export function verifyCertificateProfile(certificate: X509Certificate): void {
  verifyEveryCertificate(certificate);
  // Node calls the purposes of the EKU extension keyUsage; undefined without that extension (RFC 5280 s4.2.1.12).
  const purposes: readonly string[] | undefined = certificate.keyUsage;
  if (purposes !== undefined && !purposes.includes(clientAuthentication)) {
    throw new CertificateError('extended-key-usage', 'The certificate is not meant for TLS client authentication.');
  }
  if (!allowsKeyUsage(certificate, keyUsageBit.digitalSignature)) {
    throw new CertificateError('key-usage', 'The key of the certificate may not sign.');
  }
  // An OBSeal or QSeal is for documents, whatever its other extensions allow.
  const types = readQcTypes(certificate);
  if (types.length > 0 && !types.includes(qcTypeWeb)) {
    throw new CertificateError('extended-key-usage', 'The certificate is for seals or signatures, not for TLS.');
  }
}

/** @returns the types of a qualified certificate; none for one that does not say */
function readQcTypes(certificate: X509Certificate): string[] {
  const extension = certificateFieldsOf(certificate).extensions.get(qcStatements);
  if (extension === undefined) return [];
  return readDerElements(readDerElement(extension.value, derTag.sequence))
    .filter((statement) => readFirstObjectIdentifier(statement.contents) === qcType)
    .flatMap((statement) => readDerElements(readDerElements(statement.contents)[1]?.contents ?? Buffer.alloc(0)))
    .map((type) => readObjectIdentifier(type.contents));
}

/**
 * Verifies a certification authority and its path length (RFC 5280 s4.2.1.9).
 * @param certificatesBelow authorities between this one and the client's certificate
 * @throws CertificateError `not-a-certificate-authority`, `path-length`, `key-usage` and those of every certificate
 */
export function verifyIssuerProfile(
  issuer: X509Certificate,
  { certificatesBelow }: { certificatesBelow: number },
): void {
  verifyEveryCertificate(issuer);
  const extension = certificateFieldsOf(issuer).extensions.get(basicConstraints);
  if (!issuer.ca || extension === undefined) {
    throw new CertificateError('not-a-certificate-authority', 'The issuer is not a certification authority.');
  }
  const pathLength = readDerElements(readDerElement(extension.value, derTag.sequence)).find(
    (element) => element.tag === derTag.integer,
  );
  if (
    pathLength !== undefined &&
    pathLength.contents.length <= 4 &&
    readUnsigned(pathLength.contents) < certificatesBelow
  ) {
    throw new CertificateError('path-length', 'The issuer may not certify another authority.');
  }
  if (!allowsKeyUsage(issuer, keyUsageBit.keyCertSign)) {
    throw new CertificateError('key-usage', 'The key of the issuer may not sign certificates.');
  }
}

function verifyEveryCertificate(certificate: X509Certificate): void {
  const { signatureAlgorithm, extensions } = certificateFieldsOf(certificate);
  if (weakSignatureAlgorithms.has(signatureAlgorithm)) {
    throw new CertificateError('weak-algorithm', 'A certificate is signed with a broken hash.');
  }
  verifyKeyStrength(certificate);
  for (const { oid, isCritical } of extensions.values()) {
    // An unknown critical extension makes the certificate unacceptable (RFC 5280 s4.2).
    if (isCritical && !understoodExtensions.has(oid)) {
      throw new CertificateError('critical-extension', `The critical extension ${oid} is not understood.`);
    }
  }
}

function verifyKeyStrength(certificate: X509Certificate): void {
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const isStrong =
    asymmetricKeyType === 'ec'
      ? strongCurves.has(asymmetricKeyDetails?.namedCurve ?? '')
      : asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  if (!isStrong) throw new CertificateError('weak-algorithm', 'A certificate has a key that is too weak.');
}

/** @returns whether this use of the key is allowed; without the extension, everything is */
export function allowsKeyUsage(certificate: X509Certificate, bit: number): boolean {
  const extension = certificateFieldsOf(certificate).extensions.get(keyUsage);
  if (extension === undefined) return true;
  const [, firstByte = 0] = readDerElement(extension.value, derTag.bitString);
  return (firstByte & bit) !== 0;
}

function readUnsigned(contents: Buffer): number {
  return contents.length === 0 ? 0 : contents.readUIntBE(0, contents.length);
}
