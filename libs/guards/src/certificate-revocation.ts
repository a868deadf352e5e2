import type { X509Certificate } from 'node:crypto';

/** Port: whether authorities have taken back what they certified (RFC 5280 s5, RFC 6960). */
export abstract class CertificateRevocation {
  /**
   * @param path a verified path: the client's certificate, its issuers, the trust anchor last
   * @returns whether the certificate may still be relied on; at once where that is known, for every request asks
   */
  abstract mayRelyOn(path: readonly X509Certificate[]): boolean | Promise<boolean>;
}
