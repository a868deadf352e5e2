import type { X509Certificate } from 'node:crypto';

/** Members that the layers of this service add to a request. */
declare module 'fastify' {
  interface FastifyRequest {
    /** x-fapi-interaction-id: the caller's, or one made here (Read/Write profile, headers). */
    interactionId: string;
    /**
     * Says what the request holds in memory until its answer is sent, where that may be much.
     * @param length in bytes; the largest counts
     * @throws BodilessError if there is no room
     */
    hold: (length: number) => void;
  }

  interface FastifyContextConfig {
    /** The route exists only to answer that its path has other methods. */
    isMethodNotAllowed?: boolean;
  }
}

/** The client's verified certificate, from the connection or the trusted ingress. */
export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** x5t#S256 (RFC 8705 s3.1) */
  readonly thumbprint: string;
  /** the verified path: the certificate itself, its issuers, the trust anchor last */
  readonly path: readonly X509Certificate[];
}
