import { createHash, X509Certificate } from 'node:crypto';
import type { Config } from '#libs/config';
import type { StatementRunner } from '#libs/persistence';

const recordKeysSql = `
  INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
  SELECT gen_random_uuid(), $1::timestamptz, 'worker', 'keys.configure', $2::jsonb
  WHERE $2::jsonb IS DISTINCT FROM (
    SELECT details FROM audit_events WHERE action = 'keys.configure' ORDER BY occurred_at DESC LIMIT 1)`;

/**
 * Writes down which keys and certificates the service runs with, when they are others than the last time: keys are rotated in files,
 * where nobody but the operator sees it.
 * @returns whether they are others
 */
export async function recordKeys(runner: StatementRunner, config: Config, now: Date): Promise<boolean> {
  const details = {
    signing: config.signing.keys.map(({ kid, algorithm }) => ({ kid, algorithm })),
    clientSecretEncryption: config.secrets.clientSecretEncryptionKeys.map(({ id }) => id),
    // A keyed hash and a derived subject tell nothing of the key; whether it is another one is what counts.
    clientSecretPepper: fingerprint(config.secrets.clientSecretPepper),
    pairwiseSubject: fingerprint(config.secrets.pairwiseSubjectKey),
    tlsCertificate: new X509Certificate(config.tls.certificate).fingerprint256,
    bankClientCertificate: new X509Certificate(config.bank.clientCertificate).fingerprint256,
    clientTrustAnchors: config.tls.clientTrustAnchors.map((pem) => new X509Certificate(pem).fingerprint256).sort(),
  };
  const { rowCount } = await runner.query('record-keys', recordKeysSql, [now, JSON.stringify(details)]);
  return rowCount === 1;
}

function fingerprint(key: Buffer): string {
  return createHash('sha256').update('audit').update(key).digest('base64url').slice(0, 16);
}
