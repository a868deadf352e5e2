import type { X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.errors.js';
import { decodeDerString } from './der-string.js';
import { derTag, readDerElement, readDerElements, readObjectIdentifier, type DerElement } from './der.js';
import type { AttributeTypeAndValue, DistinguishedName } from './distinguished-name.js';

/** One extension of a certificate, RFC 5280 s4.2. */
export interface CertificateExtension {
  oid: string;
  isCritical: boolean;
  /** DER of the extension's own type */
  value: Buffer;
}

/** Read from the encoding itself, because no text form of it can be parsed safely. */
export interface CertificateFields {
  signatureAlgorithm: string;
  /** contents of the INTEGER */
  serialNumber: Buffer;
  issuer: DerElement;
  subject: DerElement;
  extensions: ReadonlyMap<string, CertificateExtension>;
}

const fieldsOfCertificate = new WeakMap<X509Certificate, CertificateFields>();
const nameOfCertificate = new WeakMap<X509Certificate, DistinguishedName>();

/**
 * Reads TBSCertificate (RFC 5280 s4.1) from the certificate's bytes; cached per certificate object.
 * @throws CertificateError `malformed`
 */
export function certificateFieldsOf(certificate: X509Certificate): CertificateFields {
  const known = fieldsOfCertificate.get(certificate);
  if (known !== undefined) return known;
  const fields = readCertificateFields(certificate.raw);
  fieldsOfCertificate.set(certificate, fields);
  return fields;
}

/**
 * The subject as parsed from the DER encoding, never from Node's text form, which cannot be split safely
 * (CVE-2021-44532).
 * @throws CertificateError `malformed`
 * @throws DistinguishedNameError if a value is not text
 */
export function distinguishedNameOf(certificate: X509Certificate): DistinguishedName {
  const known = nameOfCertificate.get(certificate);
  if (known !== undefined) return known;
  const rdns = readDerElements(certificateFieldsOf(certificate).subject.contents);
  const name = { rdns: rdns.map((rdn) => readDerElements(rdn.contents).map(readAttribute)) };
  nameOfCertificate.set(certificate, name);
  return name;
}

function readCertificateFields(raw: Buffer): CertificateFields {
  const [tbsCertificate, signatureAlgorithm] = readDerElements(readDerElement(raw, derTag.sequence));
  if (tbsCertificate === undefined || signatureAlgorithm === undefined) throw malformed();
  const fields = readDerElements(tbsCertificate.contents);
  if (fields[0]?.tag === derTag.version) fields.shift();
  // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
  const [serialNumber, , issuer, , subject] = fields;
  if (serialNumber?.tag !== derTag.integer || issuer?.tag !== derTag.sequence) throw malformed();
  if (subject?.tag !== derTag.sequence) throw malformed();
  const extensions = fields.find((field) => field.tag === derTag.extensions);
  return {
    signatureAlgorithm: readFirstObjectIdentifier(signatureAlgorithm.contents),
    serialNumber: serialNumber.contents,
    issuer,
    subject,
    extensions: extensions === undefined ? new Map() : readExtensions(extensions.contents),
  };
}

/**
 * @param bytes contents of `[3]` of a certificate or `[0]` of a revocation list: Extensions (RFC 5280 s4.1)
 * @throws CertificateError `malformed`
 */
export function readExtensions(bytes: Buffer): ReadonlyMap<string, CertificateExtension> {
  const extensions = new Map<string, CertificateExtension>();
  for (const element of readDerElements(readDerElement(bytes, derTag.sequence))) {
    const parts = readDerElements(element.contents);
    const value = parts.at(-1);
    if (value?.tag !== derTag.octetString) throw malformed();
    const oid = readFirstObjectIdentifier(element.contents);
    // A certificate has each extension at most once (RFC 5280 s4.2).
    if (extensions.has(oid)) throw malformed();
    extensions.set(oid, {
      oid,
      isCritical: parts[1]?.tag === derTag.boolean && parts[1].contents[0] !== 0,
      value: value.contents,
    });
  }
  return extensions;
}

function readAttribute(attribute: DerElement): AttributeTypeAndValue {
  const value = readDerElements(attribute.contents)[1];
  if (value === undefined) throw malformed();
  return { type: readFirstObjectIdentifier(attribute.contents), value: decodeDerString(value) };
}

/** @throws CertificateError `malformed` if the bytes do not begin with an object identifier */
export function readFirstObjectIdentifier(bytes: Buffer): string {
  const [oid] = readDerElements(bytes);
  if (oid?.tag !== derTag.objectIdentifier) throw malformed();
  return readObjectIdentifier(oid.contents);
}

function malformed(): CertificateError {
  return new CertificateError('malformed', 'The certificate is not encoded as RFC 5280 says.');
}
