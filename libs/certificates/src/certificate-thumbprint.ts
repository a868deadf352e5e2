import { createHash, type X509Certificate } from 'node:crypto';

/**
 * The `x5t#S256` confirmation value of a certificate, RFC 8705 s3.1.
 * @returns base64url without padding, 43 characters
 */
export function certificateThumbprint(certificate: X509Certificate): string {
  // Over the DER bytes, not over the PEM text.
  return createHash('sha256').update(certificate.raw).digest('base64url');
}
