import type { X509Certificate } from 'node:crypto';
import { CertificateError } from './certificate.errors.js';
import { isSignedBy } from './verify-signature-of-issuer.js';
import { verifyCertificateProfile, verifyIssuerProfile, verifyValidityPeriod } from './verify-certificate-profile.js';

/** The certificates to check, and the trust anchors. */
export interface CertificateChainCheck {
  /** the client's certificate */
  certificate: X509Certificate;
  /** further certificates from the peer or its proxy, in any order, trusted or not */
  intermediates: readonly X509Certificate[];
  /** the certification authorities of the configuration */
  trustAnchors: readonly X509Certificate[];
  now: Date;
}

/** Certificates between the client's and the trust anchor, both counted: the Open Banking roots need three. */
const maxPathLength = 5;
/** More than any valid peer sends; limits the search for a path. */
const maxIntermediates = 10;
/** Maximum signatures verified in search of a path: authorities that certify each other could require thousands. */
const maxSignatures = 40;

/**
 * Verifies that a client certificate may be trusted (RFC 5280 s6, reduced to what a client certificate of a PKI with
 * fixed roots needs): a path of signatures up to a trust anchor, validity dates, valid certification authorities, and a
 * purpose that includes TLS client authentication. Does not check revocation.
 * @returns the path that was found: the client's certificate, its issuers, the trust anchor last
 * @throws CertificateError with the reason; with several candidate paths the one of the last candidate
 */
export function verifyCertificateChain(check: CertificateChainCheck): readonly X509Certificate[] {
  const { certificate, intermediates, trustAnchors, now } = check;
  if (intermediates.length > maxIntermediates) {
    throw new CertificateError('path-length', `More than ${maxIntermediates} certificates besides the client's.`);
  }
  verifyValidityPeriod(certificate, now);
  verifyCertificateProfile(certificate);
  const budget = { signatures: maxSignatures };
  const path = findPath({ subject: certificate, depth: 1, unused: intermediates, trustAnchors, now, budget });
  if (path instanceof CertificateError) throw path;
  return path;
}

interface PathStep {
  subject: X509Certificate;
  /** certificates on the path so far */
  depth: number;
  unused: readonly X509Certificate[];
  trustAnchors: readonly X509Certificate[];
  now: Date;
  /** shared by the whole search */
  budget: { signatures: number };
}

/** @returns the subject and all above it, or why the last candidate failed */
function findPath(step: PathStep): readonly X509Certificate[] | CertificateError {
  const { subject, depth, unused, trustAnchors } = step;
  if (depth >= maxPathLength)
    return new CertificateError('path-length', 'No path to a trust anchor of allowed length.');
  let failure: CertificateError | undefined;
  for (const anchor of trustAnchors) {
    if (!subject.checkIssued(anchor)) continue;
    failure = findIssuerFailure(step, anchor);
    if (failure === undefined) return [subject, anchor];
  }
  for (const issuer of unused) {
    if (!subject.checkIssued(issuer)) continue;
    const above = findIssuerFailure(step, issuer) ?? findPathAbove(step, issuer);
    if (!(above instanceof CertificateError)) return [subject, ...above];
    failure = above;
  }
  return failure ?? new CertificateError('no-path', 'No trusted authority issued the certificate.');
}

function findPathAbove(step: PathStep, issuer: X509Certificate): readonly X509Certificate[] | CertificateError {
  const unused = step.unused.filter((other) => other !== issuer);
  return findPath({ ...step, subject: issuer, depth: step.depth + 1, unused });
}

function findIssuerFailure(
  { subject, depth, now, budget }: PathStep,
  issuer: X509Certificate,
): CertificateError | undefined {
  try {
    verifyValidityPeriod(issuer, now);
    verifyIssuerProfile(issuer, { certificatesBelow: depth - 1 });
  } catch (error) {
    if (error instanceof CertificateError) return error;
    throw error;
  }
  budget.signatures -= 1;
  if (budget.signatures < 0) return new CertificateError('path-length', 'Too many possible paths to a trust anchor.');
  // checkIssued compares only names and key identifiers; this verifies the signature.
  if (isSignedBy(subject, issuer)) return undefined;
  return new CertificateError('signature', "The issuer's signature of the certificate is wrong.");
}
