import { X509Certificate } from 'node:crypto';
import type { Config } from '#libs/config';

/** A certificate that is configured, or that a configured server shows, and its expiry. */
export interface DatedCertificate {
  /** its setting */
  readonly setting: string;
  /** its common name, or for a signing key its `kid` */
  readonly name: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** the service cannot work without it */
  readonly isVital: boolean;
}

export const dayMilliseconds = 86_400_000;

/**
 * @returns every certificate in this process's configuration: the service's own, the authorities' and those of signing
 * keys
 */
export function datedCertificates(config: Config): DatedCertificate[] {
  return [
    ...found(config, 'TLS_CERTIFICATE', ({ tls }) => tls.certificate, true),
    ...found(config, 'CLIENT_TRUST_ANCHORS', ({ directory }) => directory.trusted[0].clientTrustAnchors.join('\n')),
    ...found(config, 'INGRESS_TRUST_ANCHORS', ({ tls }) => tls.ingressTrustAnchors.join('\n')),
    ...found(config, 'ADMIN_TRUST_ANCHORS', ({ admin }) => admin.trustAnchors?.join('\n')),
    ...found(config, 'INTROSPECTION_TRUST_ANCHORS', ({ introspection }) => introspection?.trustAnchors.join('\n')),
    ...found(config, 'BANK_CLIENT_CERTIFICATE', ({ bank }) => bank.clientCertificate, true),
    ...found(config, 'BANK_CA', ({ bank }) => bank.ca),
    ...found(config, 'EVENT_WEBHOOK_CA', ({ events }) => events.webhook?.ca),
    ...found(config, 'DIRECTORY_CA', ({ directory }) => directory.trusted[0].ca),
    ...ofFurtherDirectories(config),
    ...ofSigningKeys(config),
  ];
}

/** Settings that this process does not read have no value here. */
function found(
  config: Config,
  setting: Parameters<Config['reads']>[0],
  pemOf: (config: Config) => string | undefined,
  isVital = false,
): DatedCertificate[] {
  return config.reads(setting) ? parse(setting, pemOf(config), isVital) : [];
}

function ofFurtherDirectories(config: Config): DatedCertificate[] {
  if (!config.reads('FURTHER_DIRECTORIES')) return [];
  const [first, ...further] = config.directory.trusted;
  // Skips what a further directory shares with the first.
  return further.flatMap(({ ca, clientTrustAnchors }) => [
    ...(ca === first.ca ? [] : parse('FURTHER_DIRECTORIES', ca)),
    ...(clientTrustAnchors === first.clientTrustAnchors
      ? []
      : parse('FURTHER_DIRECTORIES', clientTrustAnchors.join('\n'))),
  ]);
}

function ofSigningKeys(config: Config): DatedCertificate[] {
  if (!config.reads('SIGNING_KEYS')) return [];
  const { keys } = config.signing;
  return keys.flatMap((key) => {
    const [leaf] = key.publicJwk.x5c ?? [];
    if (leaf === undefined) return [];
    // The first key of each algorithm signs; the others are published only.
    const isCurrent = key === keys.find(({ algorithm }) => algorithm === key.algorithm);
    return [toDated('SIGNING_KEYS', new X509Certificate(Buffer.from(leaf, 'base64')), isCurrent, key.kid)];
  });
}

/** @returns days until it expires, negative afterwards */
export function daysLeft({ notAfter }: DatedCertificate, now: Date): number {
  return (notAfter.getTime() - now.getTime()) / dayMilliseconds;
}

/** @throws Error naming the settings whose certificate is currently not valid */
export function assertCertificatesValid(certificates: readonly DatedCertificate[], now: Date): void {
  const faults = certificates
    .filter(({ isVital, notBefore, notAfter }) => isVital && (now < notBefore || now > notAfter))
    .map(({ setting, name, notBefore, notAfter }) => {
      const when = now < notBefore ? `begins on ${notBefore.toISOString()}` : `ended on ${notAfter.toISOString()}`;
      return `the certificate ${name} in ${setting} ${when}`;
    });
  if (faults.length > 0) throw new Error(faults.join('; '));
}

/** The first is the setting's own certificate, followed by its chain. */
function parse(setting: string, pem = '', isVital = false): DatedCertificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return texts.map((text, index) => toDated(setting, new X509Certificate(text), isVital && index === 0));
}

/** @param name instead of its common name */
export function toDated(
  setting: string,
  certificate: X509Certificate,
  isVital = false,
  name?: string,
): DatedCertificate {
  const { validFrom, validTo } = certificate;
  return {
    setting,
    name: name ?? nameOf(certificate),
    notBefore: new Date(validFrom),
    notAfter: new Date(validTo),
    isVital,
  };
}

/** A certificate that names only hosts has no subject (RFC 5280 s4.1.2.6): '' in Node 26, undefined before. */
function nameOf(certificate: X509Certificate): string {
  const subject = (Reflect.get(certificate, 'subject') as string | undefined) ?? '';
  return /^CN=(.+)$/m.exec(subject)?.[1] ?? (subject.replaceAll('\n', ',') || (certificate.subjectAltName ?? ''));
}
