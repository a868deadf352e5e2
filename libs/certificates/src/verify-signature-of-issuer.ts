import { verify, type X509Certificate } from 'node:crypto';

/** Signature algorithms that authorities use: RSASSA-PKCS1-v1_5 and ECDSA with SHA-2 (RFC 4055, RFC 5758). */
const hashOfAlgorithm: ReadonlyMap<string, string> = new Map([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
]);

/**
 * @param options.signatureAlgorithm object identifier
 * @param options.data what is signed, as it is encoded
 * @param options.signer whose key must have signed
 * @returns whether it did; false for an algorithm that is not known or whose hash is broken
 */
// @cryptography RSA or ECDSA with SHA-256, 384 or 512 | of CLIENT_TRUST_ANCHORS | certificates, revocation lists and
// OCSP responses
export function isSignedByCertificate(options: {
  signatureAlgorithm: string;
  data: Uint8Array;
  signature: Uint8Array;
  signer: X509Certificate;
}): boolean {
  const hash = hashOfAlgorithm.get(options.signatureAlgorithm);
  const { publicKey } = options.signer;
  const isElliptic = options.signatureAlgorithm.startsWith('1.2.840.10045.');
  if (hash === undefined || publicKey.asymmetricKeyType !== (isElliptic ? 'ec' : 'rsa')) return false;
  try {
    return verify(hash, options.data, publicKey, options.signature);
  } catch {
    // OpenSSL throws for some malformed signatures.
    return false;
  }
}

/** @returns whether the issuer's key signed the certificate: `checkIssued` compares names and key identifiers only */
export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.verify(issuer.publicKey);
  } catch {
    // OpenSSL throws if key and signature have different types: not signed by this issuer.
    return false;
  }
}
