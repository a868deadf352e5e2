import { createHash, type X509Certificate } from 'node:crypto';

/** Cached, because a certificate never changes and every request of a connection asks for it. */
const known = new WeakMap<X509Certificate, string>();

/**
 * The `x5t#S256` confirmation value of a certificate, RFC 8705 s3.1.
 * @returns base64url without padding, 43 characters
 */
export function certificateThumbprint(certificate: X509Certificate): string {
  let thumbprint = known.get(certificate);
  if (thumbprint === undefined) {
    // Over the DER bytes, not over the PEM text.
    // @cryptography SHA-256 | none | the thumbprint that tokens are bound to (RFC 8705 s3.1)
    thumbprint = createHash('sha256').update(certificate.raw).digest('base64url');
    known.set(certificate, thumbprint);
  }
  return thumbprint;
}
