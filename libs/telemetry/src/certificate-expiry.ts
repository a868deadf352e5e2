import { X509Certificate } from 'node:crypto';
import type { Config } from '#libs/config';

/** A certificate of the configuration, and when it ends. */
export interface DatedCertificate {
  /** the setting it stands in */
  readonly setting: string;
  /** its common name, or for a signing key its `kid` */
  readonly name: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** the service cannot do its work without it */
  readonly isVital: boolean;
}

const dayMilliseconds = 86_400_000;

/** @returns every certificate that the configuration holds: the service's own, the authorities' and those of signing keys */
export function datedCertificates(config: Config): DatedCertificate[] {
  const { tls, bank, directory, signing, admin, introspection, events } = config;
  const [first, ...further] = directory.trusted;
  return [
    ...parse('TLS_CERTIFICATE', tls.certificate, true),
    ...parse('CLIENT_TRUST_ANCHORS', first.clientTrustAnchors.join('\n')),
    ...parse('INGRESS_TRUST_ANCHORS', tls.ingressTrustAnchors.join('\n')),
    ...parse('ADMIN_TRUST_ANCHORS', admin.trustAnchors.join('\n')),
    ...parse('INTROSPECTION_TRUST_ANCHORS', introspection?.trustAnchors.join('\n')),
    ...parse('BANK_CLIENT_CERTIFICATE', bank.clientCertificate, true),
    ...parse('BANK_CA', bank.ca),
    ...parse('EVENT_WEBHOOK_CA', events.webhook?.ca),
    ...parse('DIRECTORY_CA', first.ca),
    // What a further directory has in common with the first is there already.
    ...further.flatMap(({ ca, clientTrustAnchors }) => [
      ...(ca === first.ca ? [] : parse('FURTHER_DIRECTORIES', ca)),
      ...(clientTrustAnchors === first.clientTrustAnchors
        ? []
        : parse('FURTHER_DIRECTORIES', clientTrustAnchors.join('\n'))),
    ]),
    ...signing.keys.flatMap((key) => {
      const [leaf] = key.publicJwk.x5c ?? [];
      if (leaf === undefined) return [];
      // The first key of each algorithm signs; the others are published only.
      const isCurrent = key === signing.keys.find(({ algorithm }) => algorithm === key.algorithm);
      return [toDated('SIGNING_KEYS', new X509Certificate(Buffer.from(leaf, 'base64')), isCurrent, key.kid)];
    }),
  ];
}

/** @returns days until it ends, less than 0 afterwards */
export function daysLeft({ notAfter }: DatedCertificate, now: Date): number {
  return (notAfter.getTime() - now.getTime()) / dayMilliseconds;
}

/** @throws Error naming the settings whose certificate does not count now */
export function assertCertificatesCount(certificates: readonly DatedCertificate[], now: Date): void {
  const faults = certificates
    .filter(({ isVital, notBefore, notAfter }) => isVital && (now < notBefore || now > notAfter))
    .map(({ setting, name, notBefore, notAfter }) => {
      const when = now < notBefore ? `begins on ${notBefore.toISOString()}` : `ended on ${notAfter.toISOString()}`;
      return `the certificate ${name} in ${setting} ${when}`;
    });
  if (faults.length > 0) throw new Error(faults.join('; '));
}

/** The first one is the setting's own; what follows is its chain. */
function parse(setting: string, pem = '', isVital = false): DatedCertificate[] {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((text, index) => toDated(setting, new X509Certificate(text), isVital && index === 0));
}

function toDated(setting: string, certificate: X509Certificate, isVital: boolean, name?: string): DatedCertificate {
  const { subject, validFrom, validTo } = certificate;
  return {
    setting,
    name: name ?? /^CN=(.+)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ','),
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    isVital,
  };
}
