import { constants } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import type { Config } from '#libs/config';

/** `one-way`: no client certificate. `mutual`: refused without one. `asked-for`: the guards of each route decide. */
export type TlsProfile = 'one-way' | 'mutual' | 'asked-for';

/** TLS 1.3 suites, and under 1.2 only the two that the profile allows for an RSA key (FAPI 1.0 Advanced s8.5). */
export const tlsCiphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
].join(':');

/** @param profile what the listener requires of the client */
export function tlsOptions(config: Config, profile: TlsProfile): ServerOptions {
  const { tls, introspection } = config;
  // Behind an ingress the peer is the ingress, and the TPP's chain is verified from the forwarded header. The
  // certificate reader decides what each certificate permits; here the bank's own resource servers only need to
  // connect.
  const peerAnchors =
    tls.clientCertificateSource === 'tls'
      ? [...tls.clientTrustAnchors, ...(introspection?.trustAnchors ?? [])]
      : tls.ingressTrustAnchors;
  // @cryptography TLS 1.2 (ECDHE with AES-GCM) or 1.3 | TLS_PRIVATE_KEY | connections of TPPs, customers and the
  // ingress
  return {
    cert: tls.certificate,
    key: tls.privateKey,
    minVersion: 'TLSv1.2',
    ciphers: tlsCiphers,
    honorCipherOrder: true,
    // No list of groups: OpenSSL's own begins with X25519MLKEM768 where it has it.
    // Time limit of a handshake; Node would wait two minutes.
    handshakeTimeout: 10_000,
    // No session resumption on any listener: a resumed session can count as authorised without a certificate. No
    // renegotiation (RFC 9325 s3.5), which any TLS 1.2 client could request.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
    ...(profile === 'one-way'
      ? {}
      : { requestCert: true, rejectUnauthorized: profile === 'mutual', ca: [...peerAnchors] }),
  };
}
