import { createHash, sign, KeyObject, webcrypto, type X509Certificate } from 'node:crypto';
import {
  BasicOCSPResponse,
  CertStatus,
  OCSPRequest,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  SingleResponse,
  id_pkix_ocsp_basic,
} from '@peculiar/asn1-ocsp';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate } from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import { createOcspRequest } from '../src/ocsp.js';
import { testNow, type IssuedCertificate } from './issue-certificate.js';

const day = 86_400_000;
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A revocation list valid for one day around {@link testNow}. */
export async function issueRevocationList(wish: {
  issuer: IssuedCertificate;
  serialNumbers?: readonly string[];
  extensions?: x509.Extension[];
  thisUpdate?: Date;
}): Promise<Buffer> {
  const { issuer, serialNumbers = [], extensions = [], thisUpdate = testNow } = wish;
  const list = await x509.X509CrlGenerator.create({
    issuer: new x509.X509Certificate(issuer.certificate.raw).subjectName.toJSON(),
    thisUpdate,
    nextUpdate: new Date(thisUpdate.getTime() + day),
    entries: serialNumbers.map((serialNumber) => ({ serialNumber, revocationDate: thisUpdate })),
    extensions,
    signingAlgorithm: ecdsa,
    signingKey: issuer.keys.privateKey,
  });
  return Buffer.from(list.rawData);
}

/** An OCSP response `good` that names this signer. */
export function issueOcspResponse(wish: {
  certificate: X509Certificate;
  issuer: X509Certificate;
  signer: IssuedCertificate;
}): Buffer {
  const { certificate, issuer, signer } = wish;
  const request = AsnConvert.parse(createOcspRequest({ certificate, issuer }), OCSPRequest);
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byKey: new OctetString(createHash('sha1').digest()) }),
    producedAt: testNow,
    responses: request.tbsRequest.requestList.map(
      ({ reqCert }) =>
        new SingleResponse({ certID: reqCert, certStatus: new CertStatus({ good: null }), thisUpdate: testNow }),
    ),
  });
  const data = Buffer.from(AsnConvert.serialize(tbsResponseData));
  const privateKey = KeyObject.from(signer.keys.privateKey as webcrypto.CryptoKey);
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' }),
    signature: new Uint8Array(sign('sha256', data, privateKey)).buffer,
    certs: [AsnConvert.parse(signer.certificate.raw, Certificate)],
  });
  const response = new OctetString(AsnConvert.serialize(basic));
  const responseBytes = new ResponseBytes({ responseType: id_pkix_ocsp_basic, response });
  const { successful: responseStatus } = OCSPResponseStatus;
  return Buffer.from(AsnConvert.serialize(new OCSPResponse({ responseStatus, responseBytes })));
}
