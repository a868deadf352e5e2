import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Pool } from 'pg';
import { createDatabaseRoles, type ProcessWithRole, urlOfRole } from '../support/database-roles.js';
import { migratedDatabase, type RunDatabase } from '../support/run-database.js';

let database: RunDatabase;
let superuser: Pool;

const insertOfConsent = (
  status: string,
): string => `INSERT INTO payment_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, expires_at,
    initiation, charges, number_of_transactions, control_sum, approval_hash)
  VALUES (gen_random_uuid(), gen_random_uuid(), 'file-payment', '3.1', '${status}', now(), now(), now() + interval '1 day', '{}',
    '[]', 1, 1, '\\x01')`;
const insertOfAccess = (
  status: string,
): string => `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms)
  VALUES (gen_random_uuid(), gen_random_uuid(), 'account-access', '3.1', '${status}', now(), now(), '{}')`;
const eventOf = (action: string): string =>
  `INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
   VALUES (gen_random_uuid(), now(), 'authorize', '${action}', '{"psuId": "mallory"}')`;
const authorise = `UPDATE payment_consents SET status = 'Authorised'`;
const permit = `UPDATE access_consents SET status = 'Authorised'`;

const clientId = randomUUID();
const denied = 'permission denied for table';

/** Rows that others have made properly. */
const fixtures = [
  `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types, response_types,
     scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, directory_issuer, secret_hash, metadata,
     client_id_issued_at, updated_at)
   VALUES ('${clientId}', 'Active', 'o', 'o', 's', 'c', '{}', '{}', '{}', 'payments', 'private_key_jwt', 'PS256', 'PS256', 'u', 'directory', '',
     '{}', now(), now())`,
  insertOfConsent('AwaitingAuthorisation'),
  insertOfAccess('AwaitingAuthorisation'),
  `INSERT INTO payment_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, expires_at,
     initiation, charges, number_of_transactions, control_sum, approval_hash, approved_hash, psu_id, authorised_at, debtor_account,
     approvals_required, challenge_id)
   VALUES (gen_random_uuid(), gen_random_uuid(), 'file-payment', '3.1', 'Authorised', now(), now(), now() + interval '1 day', '{}',
     '[]', 1, 1, '\\x01', '\\x01', 'alice', now(), '{"Identification": "1"}', 2, 'c')`,
  `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at, terms, psu_id,
     authorised_at, withdrawn_at, accounts, challenge_id)
   SELECT gen_random_uuid(), gen_random_uuid(), 'account-access', '3.1', status, now(), now(), '{}', 'alice', now(),
     CASE status WHEN 'Withdrawn' THEN now() END, '[{}]', 'c' FROM unnest('{Authorised,Withdrawn}'::text[]) AS given (status)`,
  `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at, expires_at, revoked_at)
   VALUES (sha256('a'), '${clientId}', 'client_credentials', 's', 't', now(), now(), now())`,
  `INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at, issued_at, expires_at, revoked_at)
   VALUES (sha256('a'), '${clientId}', 's', 'c', 'alice', now(), now(), now(), now())`,
  `INSERT INTO authorization_codes (code_hash, client_id, redirect_uri, scope, psu_id, subject, acr, authenticated_at, consented_at,
     expires_at, redeemed_at)
   VALUES (sha256('a'), '${clientId}', 'u', 's', 'alice', 's', 'a', now(), now(), now(), now())`,
];

beforeAll(async () => {
  database = await migratedDatabase();
  await createDatabaseRoles(database.url);
  superuser = new Pool({ connectionString: database.url });
});

beforeEach(async () => {
  await superuser.query(
    'TRUNCATE clients, payment_consents, access_consents, access_tokens, refresh_grants, authorization_codes CASCADE',
  );
  for (const sql of fixtures) await superuser.query(sql);
});

afterAll(async () => {
  await superuser?.end();
  await database?.drop();
});

async function attack(process: ProcessWithRole, sql: string): Promise<string> {
  const client = new Client({ connectionString: urlOfRole(database.url, process) });
  await client.connect();
  try {
    return await client.query(sql).then(({ rowCount }) => `done to ${rowCount} rows`, String);
  } finally {
    await client.end();
  }
}

/** What no role but one may write: consents are staged by api and approved at authorize, which issues codes; token issues tokens. */
const writes: readonly (readonly [owner: ProcessWithRole | 'nobody', sql: string])[] = [
  ['authorize', `${authorise}, psu_id = 'mallory', approved_hash = approval_hash, authorised_at = now()`],
  ['authorize', `UPDATE payment_consents SET psu_id = 'mallory'`],
  ['authorize', 'UPDATE payment_consents SET authorised_at = now()'],
  ['authorize', `UPDATE payment_consents SET challenge_id = 'c'`],
  ['authorize', `UPDATE access_consents SET challenge_id = 'c'`],
  ['authorize', 'UPDATE payment_consents SET approved_hash = approval_hash'],
  ['authorize', 'UPDATE payment_consents SET approvals_required = 1'],
  ['authorize', `${permit}, psu_id = 'mallory', authorised_at = now()`],
  ['authorize', `INSERT INTO payment_approvals (psu_id) VALUES ('mallory')`],
  ['authorize', 'UPDATE payment_orders SET approvals_received = 2'],
  ['authorize', 'INSERT INTO authorization_codes (code_hash) VALUES (NULL)'],
  ['api', insertOfConsent('AwaitingAuthorisation')],
  ['api', insertOfAccess('AwaitingAuthorisation')],
  ['api', 'INSERT INTO payment_orders (payment_order_id) VALUES (NULL)'],
  ['token', 'INSERT INTO access_tokens (token_hash) VALUES (NULL)'],
  ['nobody', 'UPDATE payment_orders SET approvals_required = 1'],
  ['nobody', 'UPDATE access_tokens SET client_id = gen_random_uuid()'],
  ['nobody', `UPDATE access_tokens SET psu_id = 'mallory'`],
  ['nobody', `UPDATE access_tokens SET token_hash = sha256('mine')`],
  ['nobody', `UPDATE access_tokens SET expires_at = 'infinity'`],
  ['nobody', `UPDATE refresh_grants SET psu_id = 'mallory'`],
  ['nobody', `UPDATE authorization_codes SET code_hash = sha256('mine')`],
];

describe('the role of one process', () => {
  it.each(['authorize', 'token', 'api', 'worker', 'operator'] as const)(
    'of %s may not do what only another one does, or nobody',
    async (process) => {
      for (const [owner, sql] of writes) {
        if (owner !== process)
          expect([sql, await attack(process, sql)]).toEqual([sql, expect.stringContaining(denied)]);
      }
    },
  );

  const told = 'Only a role that approves records an approval.';
  it.each(['token', 'api', 'worker', 'operator'] as const)(
    'of %s cannot write an event of an approval',
    async (process) => {
      for (const action of ['consent.authorised', 'access.approved', 'payment.approved'])
        expect([action, await attack(process, eventOf(action))]).toEqual([action, expect.stringContaining(told)]);
      expect(await attack(process, eventOf('consent.rejected'))).toBe('done to 1 rows');
      expect(await attack('authorize', eventOf('consent.authorised'))).toBe('done to 1 rows');
    },
  );

  const ofConsent = 'payment_consents_approved_check';
  const ofAccess = 'access_consents_approved_check';
  const stays = 'What was approved does not change.';
  const ended = 'What has ended does not begin again.';
  it.each([
    ['api', `UPDATE payment_consents SET debtor_account = '{}'`, denied],
    ['api', `UPDATE access_consents SET accounts = '[]'`, denied],
    ['api', 'UPDATE payment_orders SET next_attempt_at = now()', denied],
    ['api', authorise, ofConsent],
    ['worker', authorise, ofConsent],
    ['worker', `${authorise}, debtor_account = '{}'`, ofConsent],
    ['authorize', authorise, ofConsent],
    ['api', insertOfConsent('Authorised'), ofConsent],
    ['api', insertOfConsent('Consumed'), ofConsent],
    ['api', permit, ofAccess],
    ['worker', `${permit} WHERE status = 'AwaitingAuthorisation'`, ofAccess],
    ['api', `${permit} WHERE status = 'Withdrawn'`, ofAccess],
    ['api', insertOfAccess('Authorised'), ofAccess],
    ['authorize', `UPDATE payment_consents SET psu_id = 'mallory' WHERE status = 'Authorised'`, stays],
    ['worker', `UPDATE payment_consents SET debtor_account = '{}' WHERE status = 'Authorised'`, stays],
    ['worker', `UPDATE access_consents SET accounts = '[1]' WHERE status = 'Authorised'`, stays],
    ['authorize', `UPDATE access_consents SET psu_id = 'mallory' WHERE status = 'Authorised'`, stays],
    ['api', 'UPDATE access_tokens SET revoked_at = NULL', ended],
    ['token', 'UPDATE refresh_grants SET revoked_at = NULL', ended],
    ['api', 'UPDATE authorization_codes SET redeemed_at = NULL', ended],
    ['api', payFor(1, 1), 'lacks the approvals of its account'],
    ['api', payFor(2, 2), 'lacks the approvals of its account'],
    ['api', payFor(2, 1), 'payment_orders_approved_check'],
  ] as const)('of %s is refused: %s', async (process, sql, reason) => {
    expect(await attack(process, sql)).toContain(reason);
  });
});

/** The file payment of the consent that two people must approve, of which one has; it is due at once. */
function payFor(required: number, received: number): string {
  return `WITH consent AS (
      UPDATE payment_consents SET status = 'Consumed' WHERE status = 'Authorised' RETURNING consent_id, client_id),
    created AS (
      INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at, approvals_required,
        approvals_received, approvals_updated_at, next_attempt_at)
      SELECT '${randomUUID()}', consent_id, client_id, 'InitiationPending', now(), now(), ${required}, ${received}, now(), now()
        FROM consent RETURNING payment_order_id)
    INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
    SELECT '${randomUUID().replaceAll('-', '')}', payment_order_id, 0, 1, 'Pending', now() FROM created`;
}
