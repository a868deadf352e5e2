import { X509Certificate, createHash } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertID,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  Request,
  TBSRequest,
  id_kp_OCSPSigning,
  id_pkix_ocsp_basic,
  type SingleResponse,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { certificateFieldsOf } from './certificate-fields.js';
import { RevocationError } from './certificate.errors.js';
import { derTag, readDerElement, readDerElements } from './der.js';
import { verifyRevocationPeriod, type RevocationPeriod } from './revocation-list.js';
import { isSignedBy, isSignedByCertificate } from './verify-signature-of-issuer.js';

/** A certificate and the authority that issued it. */
export interface IssuedBy {
  certificate: X509Certificate;
  issuer: X509Certificate;
}

/** A responder's answer about one certificate. */
export interface CertificateStatus extends RevocationPeriod {
  isRevoked: boolean;
}

/** Only names the certificate (RFC 5019 s2.1.1): what it hashes is public, so SHA-1 does no harm. */
const sha1 = '1.3.14.3.2.26';

/** A responder sends its own certificate, and perhaps the authority's. */
const maxResponderCertificates = 4;

/** How long an answer without nextUpdate is used. */
const withoutNextUpdateMilliseconds = 600_000;

/**
 * @returns DER of an OCSPRequest for one certificate (RFC 6960 s4.1); without nonce, so that responders may return
 * pre-signed answers
 */
export function createOcspRequest(of: IssuedBy): Buffer {
  const requestList = [new Request({ reqCert: certIdOf(of) })];
  return Buffer.from(AsnConvert.serialize(new OCSPRequest({ tbsRequest: new TBSRequest({ requestList }) })));
}

/**
 * Verifies an OCSP answer (RFC 6960 s3.2): about this certificate, signed by its authority or by a responder that the
 * authority has certified for that purpose, and current.
 * @throws RevocationError for every other answer, `unknown` included
 */
export function verifyOcspResponse({
  der,
  certificate,
  issuer,
  now,
}: IssuedBy & { der: Buffer; now: Date }): CertificateStatus {
  const response = parseBasicResponse(der);
  verifySigner(response, issuer, now);
  const single = response.tbsResponseData.responses.find(({ certID }) => isSameCertId(certID, { certificate, issuer }));
  if (single === undefined) throw new RevocationError('no-answer', 'The OCSP answer is for another certificate.');
  const { thisUpdate } = single;
  const nextUpdate = single.nextUpdate ?? new Date(thisUpdate.getTime() + withoutNextUpdateMilliseconds);
  verifyRevocationPeriod({ thisUpdate, nextUpdate }, now);
  return { thisUpdate, nextUpdate, isRevoked: readIsRevoked(single) };
}

function parseBasicResponse(der: Buffer): BasicOCSPResponse {
  try {
    const { responseStatus, responseBytes } = AsnConvert.parse(der, OCSPResponse);
    if (responseStatus !== OCSPResponseStatus.successful || responseBytes?.responseType !== id_pkix_ocsp_basic) {
      throw new RevocationError('no-answer', `The OCSP responder gives no answer (${responseStatus}).`);
    }
    return AsnConvert.parse(responseBytes.response, BasicOCSPResponse);
  } catch (cause) {
    if (cause instanceof RevocationError) throw cause;
    throw new RevocationError('malformed', 'The OCSP answer is not encoded as RFC 6960 says.', { cause });
  }
}

function readIsRevoked({ certStatus }: SingleResponse): boolean {
  if (certStatus.revoked !== undefined) return true;
  if (certStatus.good !== undefined) return false;
  throw new RevocationError('no-answer', 'The OCSP responder does not know the certificate.');
}

function verifySigner(response: BasicOCSPResponse, issuer: X509Certificate, now: Date): void {
  const delegates = (response.certs ?? [])
    .slice(0, maxResponderCertificates)
    .flatMap((certificate) => readCertificate(Buffer.from(AsnConvert.serialize(certificate))))
    .filter((certificate) => isResponderOf(certificate, issuer, now));
  const data = response.tbsResponseDataRaw;
  const isSigned =
    data !== undefined &&
    [issuer, ...delegates].some((signer) =>
      isSignedByCertificate({
        signatureAlgorithm: response.signatureAlgorithm.algorithm,
        data: new Uint8Array(data),
        signature: new Uint8Array(response.signature),
        signer,
      }),
    );
  if (!isSigned)
    throw new RevocationError(
      'signature',
      'The OCSP answer is not signed by the authority or a responder that it certifies.',
    );
}

/** @returns undefined for what OpenSSL does not accept as a certificate */
function readCertificate(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    // The answer can still be signed by the authority itself; otherwise its signature is not accepted.
    return [];
  }
}

/** RFC 6960 s4.2.2.2: issued by the authority itself, for signing OCSP answers, valid now. */
function isResponderOf(certificate: X509Certificate, issuer: X509Certificate, now: Date): boolean {
  return (
    certificate.checkIssued(issuer) &&
    isSignedBy(certificate, issuer) &&
    certificate.keyUsage?.includes(id_kp_OCSPSigning) &&
    Date.parse(certificate.validFrom) <= now.getTime() &&
    now.getTime() < Date.parse(certificate.validTo)
  );
}

function certIdOf({ certificate, issuer }: IssuedBy): CertID {
  return new CertID({
    hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1, parameters: null }),
    issuerNameHash: new OctetString(digest(certificateFieldsOf(issuer).subject.encoded)),
    issuerKeyHash: new OctetString(digest(publicKeyBits(issuer))),
    serialNumber: toArrayBuffer(certificateFieldsOf(certificate).serialNumber),
  });
}

function isSameCertId(certId: CertID, of: IssuedBy): boolean {
  const expected = certIdOf(of);
  return (
    certId.hashAlgorithm.algorithm === sha1 &&
    isSameBytes(certId.serialNumber, expected.serialNumber) &&
    isSameBytes(certId.issuerNameHash.buffer, expected.issuerNameHash.buffer) &&
    isSameBytes(certId.issuerKeyHash.buffer, expected.issuerKeyHash.buffer)
  );
}

/** The BIT STRING of the key without tag, length and number of unused bits (RFC 6960 s4.1.1). */
function publicKeyBits(certificate: X509Certificate): Buffer {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  const [, bits] = readDerElements(readDerElement(spki, derTag.sequence));
  return bits?.contents.subarray(1) ?? Buffer.alloc(0);
}

// @cryptography SHA-1 | none | names and keys of issuers in OCSP requests and responses, as RFC 6960 and its servers
// use them; no security depends on it
const digest = (bytes: Buffer): Buffer => createHash('sha1').update(bytes).digest();

function isSameBytes(one: ArrayBuffer, other: ArrayBuffer): boolean {
  return Buffer.from(one).equals(Buffer.from(other));
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
