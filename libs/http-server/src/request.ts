import type { X509Certificate } from 'node:crypto';

/** What the layers of this service attach to a request. */
declare module 'fastify' {
  interface FastifyRequest {
    /** x-fapi-interaction-id: the caller's, or one made here (Read/Write profile, headers). */
    interactionId: string;
  }

  interface FastifyContextConfig {
    /** The route is there only to say that its path knows other methods. */
    isMethodNotAllowed?: boolean;
  }
}

/** The client's certificate as the connection or the trusted ingress showed it, verified. */
export interface ClientCertificate {
  readonly certificate: X509Certificate;
  /** x5t#S256 (RFC 8705 s3.1) */
  readonly thumbprint: string;
  /** the verified path: the certificate itself, its issuers, the trust anchor last */
  readonly path: readonly X509Certificate[];
}
