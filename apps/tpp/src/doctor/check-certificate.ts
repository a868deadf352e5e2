import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TppCredentials } from '../tpp-credentials.js';
import { ok, problem, skipped, type CheckResult } from './check.js';

/** id-kp-clientAuth (RFC 5280 s4.2.1.12). */
const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/**
 * Checks the transport certificate without the bank: key, dates, purpose, authority, and the names that the bank reads.
 * @param options.clientCa PEM of the authorities that banks trust for TPPs, where they are known
 */
export function checkCertificate(options: {
  credentials: TppCredentials;
  clientCa: string | undefined;
  now: Date;
}): CheckResult[] {
  const { credentials, clientCa, now } = options;
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(credentials.transportCertificate);
  } catch {
    return [
      problem('certificate.file', 'The transport certificate cannot be read.', {
        section: 'RFC 7468',
        expected: 'a certificate in PEM',
        got: 'something else',
        fix: 'Name the PEM file of the transport certificate in the profile.',
      }),
    ];
  }
  return [
    checkKey(certificate, credentials),
    checkDates(certificate, now),
    checkPurpose(certificate),
    checkAuthority(certificate, clientCa),
    checkNames(certificate, credentials),
  ];
}

function checkKey(certificate: X509Certificate, { transportKey }: TppCredentials): CheckResult {
  const title = 'The transport key belongs to the transport certificate.';
  if (certificate.checkPrivateKey(createPrivateKey(transportKey))) return ok('certificate.key', title, 'it does');
  return problem('certificate.key', title, {
    section: 'RFC 8446 s4.4.3',
    expected: 'the private key of the certificate',
    got: 'another key',
    fix: 'Name the key for which the certificate was issued.',
  });
}

function checkDates(certificate: X509Certificate, now: Date): CheckResult {
  const title = 'The transport certificate is valid now.';
  const got = `${certificate.validFrom} to ${certificate.validTo}`;
  const isValid =
    Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() <= Date.parse(certificate.validTo);
  if (isValid) return ok('certificate.expired', title, got);
  return problem('certificate.expired', title, {
    section: 'RFC 5280 s4.1.2.5',
    expected: `valid on ${now.toISOString()}`,
    got,
    fix:
      'Have the directory issue a new transport certificate; ' +
      'if the dates look right, set the clock of this machine.',
  });
}

function checkPurpose(certificate: X509Certificate): CheckResult {
  const title = 'The transport certificate is for client authentication.';
  const purposes = certificate.keyUsage as string[] | undefined;
  if (purposes?.includes(clientAuthentication) === true) return ok('certificate.purpose', title, purposes.join(', '));
  return problem('certificate.purpose', title, {
    section: 'RFC 5280 s4.2.1.12; ETSI TS 119 495 s5 (QWAC)',
    expected: `extended key usage ${clientAuthentication} (client authentication)`,
    got: purposes?.join(', ') ?? 'none',
    fix: 'Use the transport certificate (QWAC, OBWAC, OBTransport), not the signing one.',
  });
}

function checkAuthority(certificate: X509Certificate, clientCa: string | undefined): CheckResult {
  const title = 'An authority that the bank trusts issued the transport certificate.';
  if (clientCa === undefined) return skipped('certificate.authority', title, 'the profile names no client_ca_file');
  const authorities = (clientCa.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  const issuer = authorities.find((authority) => certificate.verify(authority.publicKey));
  if (issuer !== undefined) return ok('certificate.authority', title, oneLine(issuer.subject));
  return problem('certificate.authority', title, {
    section: 'RFC 8705 s2.1; RFC 5280 s6.1',
    expected: `signed by ${authorities.map(({ subject }) => oneLine(subject)).join(' or ')}`,
    got: `issued by ${oneLine(certificate.issuer)}, and not verified by its key`,
    fix: 'Use the certificate that the directory of this environment issued; send intermediates with it.',
  });
}

/** Organisation and software id are in the subject, which the bank reads like this (RFC 4514: the last name first). */
function checkNames(certificate: X509Certificate, { orgId, softwareId }: TppCredentials): CheckResult {
  const title = 'The subject of the transport certificate names this organisation or software.';
  const subject = oneLine(certificate.subject);
  if (subject.includes(softwareId) || subject.includes(orgId)) return ok('certificate.names', title, subject);
  return problem('certificate.names', title, {
    section: 'RFC 8705 s2.1; OBIE certificate profile',
    expected: `${orgId} or ${softwareId} in the subject`,
    got: subject,
    fix: 'Use the transport certificate of the software that registers.',
  });
}

/** @param name undefined or empty, by the version of Node.js, where the certificate has none */
function oneLine(name: string | undefined): string {
  return name?.split('\n').toReversed().join(', ') || 'no name';
}
