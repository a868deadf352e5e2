/** Certificates and what revokes them. */
export type { CertificateProfile } from '../../../apps/sandbox/src/trust/certificate-profiles.js';
export {
  importSigningKey,
  issueCertificate,
  type Issuer,
  type RevocationAddresses,
  signatureAlgorithm,
} from '../../../apps/sandbox/src/trust/issue-certificate.js';
export { answerOcspRequest } from '../../../apps/sandbox/src/trust/ocsp-response.js';
export { createRevocationList } from '../../../apps/sandbox/src/trust/revocation-list.js';
export { type RevokedCertificate, RevokedCertificates } from '../../../apps/sandbox/src/trust/revoked-certificates.js';
