import { createHash, sign, X509Certificate } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertStatus,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
  id_pkix_ocsp_basic,
  type CertID,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import type { Issuer } from './issue-certificate.js';
import type { RevokedCertificate } from './revoked-certificates.js';

const oneDay = 24 * 60 * 60 * 1_000;
const sha256WithRsa = '1.2.840.113549.1.1.11';

/**
 * Answers an OCSP request (RFC 6960) as the authority itself; nonces are left out (RFC 5019).
 * @param options.request DER
 * @returns DER of an OCSPResponse; `malformedRequest` if it is not a request
 */
export function answerOcspRequest(options: {
  request: Buffer;
  issuer: Issuer;
  revoked: readonly RevokedCertificate[];
  now: Date;
}): Buffer {
  const { issuer, revoked, now } = options;
  const asked = readCertIds(options.request);
  if (asked === undefined) {
    return encode(new OCSPResponse({ responseStatus: OCSPResponseStatus.malformedRequest }));
  }
  const subjectPublicKey = AsnConvert.parse(new X509Certificate(issuer.certificate).raw, Certificate).tbsCertificate
    .subjectPublicKeyInfo.subjectPublicKey;
  const keyHash = createHash('sha1').update(Buffer.from(subjectPublicKey)).digest();
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byKey: new OctetString(keyHash) }),
    producedAt: wholeSeconds(now),
    responses: asked.map(
      (certID) =>
        new SingleResponse({
          certID,
          certStatus: statusOf(certID, keyHash, revoked),
          thisUpdate: wholeSeconds(now),
          nextUpdate: wholeSeconds(new Date(now.getTime() + oneDay)),
        }),
    ),
  });
  const signature = sign('sha256', encode(tbsResponseData), issuer.privateKey);
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: sha256WithRsa, parameters: null }),
    signature: new Uint8Array(signature).buffer,
  });
  return encode(
    new OCSPResponse({
      responseStatus: OCSPResponseStatus.successful,
      responseBytes: new ResponseBytes({
        responseType: id_pkix_ocsp_basic,
        response: new OctetString(encode(basic)),
      }),
    }),
  );
}

function readCertIds(request: Buffer): CertID[] | undefined {
  try {
    return AsnConvert.parse(request, OCSPRequest).tbsRequest.requestList.map(({ reqCert }) => reqCert);
  } catch {
    // Not an OCSP request: RFC 6960 has a response status for that (malformedRequest).
    return undefined;
  }
}

function statusOf(certId: CertID, keyHash: Buffer, revoked: readonly RevokedCertificate[]): CertStatus {
  // This authority knows only the status of its own certificates.
  if (!Buffer.from(certId.issuerKeyHash.buffer).equals(keyHash)) return new CertStatus({ unknown: null });
  const serialNumber = Buffer.from(certId.serialNumber).toString('hex');
  const entry = revoked.find((one) => one.serialNumber === serialNumber);
  if (entry === undefined) return new CertStatus({ good: null });
  return new CertStatus({ revoked: new RevokedInfo({ revocationTime: wholeSeconds(new Date(entry.revokedAt)) }) });
}

/** GeneralizedTime in DER has no fraction here (RFC 5280 s4.1.2.5.2). */
function wholeSeconds(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 1_000) * 1_000);
}

function encode(value: unknown): Buffer {
  return Buffer.from(AsnConvert.serialize(value));
}
