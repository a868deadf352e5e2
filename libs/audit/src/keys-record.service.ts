import { createHash, X509Certificate } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { NamedKey } from '#libs/oauth';
import { Database } from '#libs/persistence';

const recordKeysSql = `
  INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
  SELECT gen_random_uuid(), $1::timestamptz, $3, 'keys.configure', $2::jsonb
  WHERE $2::jsonb IS DISTINCT FROM (
    SELECT details FROM audit_events WHERE action = 'keys.configure' AND actor = $3 ORDER BY occurred_at DESC LIMIT 1)`;

/**
 * Records at start which keys and certificates the process uses, if they have changed since its last start. Keys are
 * rotated in files, where only the operator would notice it.
 */
@Injectable()
export class KeysRecord implements OnApplicationBootstrap {
  readonly #logger = new Logger('KeysRecord');

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      const parameters = [this.clock.now(), JSON.stringify(keysOf(this.config)), this.database.applicationName];
      await this.database.query('record-keys', recordKeysSql, parameters);
    } catch (error) {
      // A database that is away, or not migrated yet, does not prevent the start.
      this.#logger.error({ message: 'The keys of this process could not be recorded in the audit trail.', error });
    }
  }
}

/** Each process holds only the keys that it uses, and records only those. */
function keysOf(config: Config): Record<string, unknown> {
  const keys: readonly [string, Parameters<Config['reads']>[0], (config: Config) => unknown][] = [
    ['signing', 'SIGNING_KEYS', ({ signing }) => signing.keys.map(({ kid, algorithm }) => ({ kid, algorithm }))],
    [
      'clientSecretEncryption',
      'CLIENT_SECRET_ENCRYPTION_KEYS',
      ({ secrets }) => secrets.clientSecretEncryptionKeys.map(({ id }) => id),
    ],
    // A keyed hash and a derived subject reveal nothing about the key. They only show whether it has changed.
    ['clientSecretPepper', 'CLIENT_SECRET_PEPPER', ({ secrets }) => secrets.clientSecretPeppers.map(markOfKey)],
    ['pairwiseSubject', 'PAIRWISE_SUBJECT_KEY', ({ secrets }) => markOfKey(secrets.pairwiseSubjectKey)],
    ['sessions', 'SESSION_KEYS', ({ secrets }) => secrets.sessionKeys.map(markOfKey)],
    ['tlsCertificate', 'TLS_CERTIFICATE', ({ tls }) => markOf(tls.certificate)],
    ['bankClientCertificate', 'BANK_CLIENT_CERTIFICATE', ({ bank }) => markOf(bank.clientCertificate)],
    ['clientTrustAnchors', 'CLIENT_TRUST_ANCHORS', ({ tls }) => tls.clientTrustAnchors.map(markOf).sort()],
  ];
  return Object.fromEntries(
    keys.filter(([, setting]) => config.reads(setting)).map(([name, , markIn]) => [name, markIn(config)]),
  );
}

/** @returns the fingerprint of a certificate; undefined for a process that needs none and has none */
function markOf(pem: string | undefined): string | undefined {
  return pem === undefined ? undefined : new X509Certificate(pem).fingerprint256;
}

/** Its id and a fingerprint, because the key may change while its id stays. */
function markOfKey({ id, key }: NamedKey): string {
  // @cryptography SHA-256 | none | 96 bits that distinguish secret keys in the audit trail
  const fingerprint = createHash('sha256').update('audit').update(key).digest('base64url').slice(0, 16);
  return `${id} ${fingerprint}`;
}
