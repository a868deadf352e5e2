import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { EmbeddedPostgres } from '../../apps/sandbox/src/postgres/index.js';
import { migratedDatabase, startMigratedPostgres } from '../support/migrated-cluster.js';
import { refuseBridges } from '../support/refuse-bridges.js';
import { openTestPool } from '../support/open-test-pool.js';

let postgres: EmbeddedPostgres;
let older: Pool;
let own: Pool;
let refused: string[];

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  const connectionString = postgres.url(migratedDatabase);
  older = openTestPool({ connectionString, application_name: 'older', max: 1 });
  own = openTestPool({ connectionString, application_name: 'worker', max: 1 });
  refused = await refuseBridges(older);
});

afterAll(async () => {
  await older?.end();
  await own?.end();
  await postgres?.remove();
});

async function aClient(): Promise<string> {
  const clientId = randomUUID();
  await older.query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types, scope,
       token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, secret_hash, metadata,
       client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'org', 'Org', 'software', 'Client', '{}', '{}', '{}', 'accounts', 'private_key_jwt', 'PS256', 'PS256',
       'https://keys.example', '', '{}', now(), now())`,
    [clientId],
  );
  return clientId;
}

/** @returns a consent to access that waits for its customer */
async function aConsent(): Promise<string> {
  const [clientId, consentId] = [await aClient(), randomUUID()];
  await older.query(
    `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms)
     VALUES ($1, $2, 'account-access', '4.0', 'AwaitingAuthorisation', now(), now(), '{}')`,
    [consentId, clientId],
  );
  return consentId;
}

const reject = `UPDATE access_consents SET status = 'Rejected', status_updated_at = now()`;

async function recordsOf(consentId: string): Promise<unknown[]> {
  const events = await older.query('SELECT event_type AS what FROM domain_events WHERE resource_id = $1', [consentId]);
  const trail = await older.query(`SELECT action AS what FROM audit_events WHERE details ->> 'consentId' = $1`, [
    consentId,
  ]);
  return [...events.rows, ...trail.rows].map(({ what }: { what: unknown }) => what);
}

describe('the bridges', () => {
  it('are those of the page whose statements tell that they record', () => {
    const page = readFileSync('docs/decisions/platform/0004-triggers-guard-and-record.md', 'utf8');
    const rows = [...page.matchAll(/^\| `\w+` +\| `(\w+)` +\| bridge \|/gm)].map(([, name = '']) => name);
    expect(refused.length).toBeGreaterThan(8);
    expect(refused.filter((name) => !rows.includes(name))).toEqual([]);
  });

  it('record the changes of an older program', async () => {
    const consentId = await aConsent();
    await older.query(`${reject} WHERE consent_id = $1`, [consentId]);
    expect(await recordsOf(consentId)).toEqual(['consent.status', 'consent.rejected']);
  });

  it('add nothing to what a statement records itself', async () => {
    const consentId = await aConsent();
    await older.query(`${reject}, revision = revision + 1 WHERE consent_id = $1`, [consentId]);
    expect(await recordsOf(consentId)).toEqual([]);
  });

  it('are refused to a statement of this program, in the tests', async () => {
    const consentId = await aConsent();
    await expect(own.query(`${reject} WHERE consent_id = $1`, [consentId])).rejects.toThrow(/left its record/);
    await own.query(`${reject}, revision = revision + 1 WHERE consent_id = $1`, [consentId]);
    expect(await recordsOf(consentId)).toEqual([]);
  });

  it.each([
    ['of 0.1', '', true],
    ['of the release before', ', revision = revision + 1', true],
    ['of the release before', `, revision = revision + 1, status_reason = 'ClientWithdrew'`, true],
    ['of the release before', `, revision = revision + 1, status_reason = 'CustomerWithdrew'`, true],
    ['by housekeeping', `, revision = revision + 1, status_reason = 'Expired'`, false],
  ])('end the refresh grants with the access (%s: "%s")', async (_by, assignments, ended) => {
    const clientId = await aClient();
    await older.query(
      `WITH consent AS (
           INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms)
           VALUES (gen_random_uuid(), $1, 'account-access', '3.1', 'Authorised', now(), now(), '{}') RETURNING consent_id)
         INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at, consent_id)
         SELECT sha256($1::text::bytea), $1::uuid, 'accounts', 'CN=tpp', 'psu-1', now(), now(), now(), consent_id FROM consent`,
      [clientId],
    );
    await older.query(`UPDATE access_consents SET status = 'Revoked'${assignments} WHERE client_id = $1`, [clientId]);
    const { rows } = await older.query(
      'SELECT revoked_at IS NOT NULL AS ended FROM refresh_grants WHERE client_id = $1',
      [clientId],
    );
    expect(rows).toEqual([{ ended }]);
  });

  it.each(['older', 'own'] as const)(
    'of a client and its tokens record for an older program alone (%s)',
    async (who) => {
      const clientId = await aClient();
      await older.query(
        `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at)
       SELECT sha256(name::bytea), $1, 'client_credentials', 'accounts', 'thumbprint', now(), now()
         FROM unnest($2::text[]) AS name`,
        [clientId, [`${clientId} 1`, `${clientId} 2`]],
      );
      await older.query(
        `INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at)
       VALUES (sha256($1::text::bytea), $1::uuid, 'accounts', 'CN=tpp', 'psu-1', now(), now(), now())`,
        [clientId],
      );
      const [pool, counted] = who === 'older' ? [older, ''] : [own, ', revision = revision + 1'];
      for (const change of [
        'access_tokens SET revoked_at = now()',
        'refresh_grants SET revoked_at = now()',
        `clients SET scope = 'openid'`,
        `clients SET status = 'Suspended'`,
      ]) {
        await pool.query(`UPDATE ${change}${counted} WHERE client_id = $1`, [clientId]);
      }
      const { rows } = await older.query<{ action: string; count: number | null }>(
        `SELECT action, (details ->> 'count')::int AS count FROM audit_events WHERE client_id = $1 ORDER BY occurred_at`,
        [clientId],
      );
      const created = ['registration.create', null];
      const changes = [
        ['token.revoke', 1],
        ['token.revoke', 1],
        ['refresh-grant.revoke', 1],
        ['registration.change', null],
        ['registration.status', null],
      ];
      expect(rows.map(({ action, count }) => [action, count])).toEqual([created, ...(who === 'older' ? changes : [])]);
    },
  );
});
