import { createHash, type X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { FastifyRequest } from 'fastify';
import { finding, type Finding } from '#libs/error-catalogue';
import type { RefusedCase } from './refused-case.js';

/** @returns the certificate that the client presented, verified or not */
export function certificateOf({ raw }: FastifyRequest): X509Certificate | undefined {
  return raw.socket instanceof TLSSocket ? raw.socket.getPeerX509Certificate() : undefined;
}

/** @returns its subject in one line */
export function describeCertificate(certificate: X509Certificate | undefined): string {
  return certificate === undefined ? 'no certificate' : oneLine(certificate.subject);
}

/** @param name undefined or empty, by the version of Node.js, where the certificate has none */
function oneLine(name: string | undefined): string {
  return name?.split('\n').toReversed().join(', ') || 'no name';
}

/** Why no verified client certificate was found on the connection. */
export function explainMissingCertificate({ request, now }: RefusedCase): Finding {
  const certificate = certificateOf(request);
  if (certificate === undefined) return finding('certificate.missing', 'a certificate', 'none');
  const subject = describeCertificate(certificate);
  const validTo = new Date(certificate.validTo);
  if (validTo < now || new Date(certificate.validFrom) > now) {
    return finding(
      'certificate.expired',
      `valid on ${now.toISOString()}`,
      `${subject}: ${certificate.validFrom} to ${certificate.validTo}`,
    );
  }
  const { socket } = request.raw;
  if (socket instanceof TLSSocket && !socket.authorized) {
    return finding(
      'certificate.authority',
      'an authority that this bank trusts',
      `issued by ${oneLine(certificate.issuer)} (${String(socket.authorizationError)})`,
    );
  }
  return finding('certificate.revoked', 'a certificate for client authentication that is not revoked', subject);
}

/** @returns x5t#S256 (RFC 8705 s3.1) */
export function thumbprintOf(certificate: X509Certificate | undefined): string | undefined {
  return certificate && createHash('sha256').update(certificate.raw).digest('base64url');
}
