import type { X509Certificate } from 'node:crypto';

/** Port: whether a certificate has been revoked (RFC 5280 s5, RFC 6960). */
export abstract class CertificateRevocation {
  /**
   * @param path a verified path: the client's certificate, its issuers, the trust anchor last
   * @returns whether the certificate is not revoked; without a promise if the answer is cached, because every request
   * asks
   */
  abstract mayRelyOn(path: readonly X509Certificate[]): boolean | Promise<boolean>;
}
