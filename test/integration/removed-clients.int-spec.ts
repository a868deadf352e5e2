import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessConsentService, countAccessToEnd, endAccessOfClient } from '#libs/access-consent';
import { GivenAccessService } from '#libs/customer-session';
import { endApprovalsOfClient, PaymentOrderService } from '#libs/payment-order';
import { Clock, type Config } from '#libs/config';
import { filePaymentKind } from '#libs/consent';
import { IdempotencyStore } from '#libs/idempotency';
import { ClientAdministration, type SecretReEncryption } from '#libs/client-registration';
import { Database, DatabaseReader, openPool } from '#libs/persistence';
import { AccessEndService, AccessTokenStore } from '#libs/token-store';
import { ClientOperations } from '../support/apps/operator-app.js';
import { until } from '../support/expectations.js';
import { migratedDatabase, type RunDatabase } from '../support/run-database.js';

let runDatabase: RunDatabase;
let database: Database;

beforeAll(async () => {
  runDatabase = await migratedDatabase();
  const { url } = runDatabase;
  const settings = { url, poolSize: 10, applicationName: 'removed-clients' };
  database = new Database(openPool(settings), settings);
});

afterAll(async () => {
  await database?.onApplicationShutdown();
  await runDatabase?.drop();
});

const workers = (): AccessConsentService => new AccessConsentService(database, {} as Config, new Clock());

const administration = (): ClientAdministration =>
  new ClientAdministration(database, new DatabaseReader(database, undefined), {} as never);

const operations = (): ClientOperations =>
  new ClientOperations(
    database,
    new Clock(),
    {} as Config,
    administration(),
    new AccessTokenStore(database),
    {} as SecretReEncryption,
  );

async function query<Row>(sql: string, parameters: unknown[]): Promise<Row[]> {
  const { rows } = await database.query<Row & Record<string, unknown>>(`test-${sql.slice(0, 40)}`, sql, parameters);
  return rows;
}

/** Stores an authorised consent. */
async function authorise(clientId: string, consentId: string, secondsLeft: number): Promise<void> {
  await query(
    `INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at, status_updated_at,
       expires_at, initiation, charges,
       number_of_transactions, control_sum, approval_hash, approved_hash, psu_id, authorised_at, challenge_id,
       debtor_account)
     VALUES ('file-payment', '3.1', $1, $2, 'Authorised', now(), now(), now() + $3 * interval '1 second', '{}',
     '[]', 1, 1, '\\x01', '\\x01', 'p', now(), 'c', '{}')`,
    [consentId, clientId, secondsLeft],
  );
}

/** A client with this many consents, in turn Authorised and AwaitingAuthorisation. */
async function aClient(count: number): Promise<string> {
  const id = randomUUID();
  await query(
    `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris,
       grant_types, response_types, scope,
       token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri,
       directory_issuer, secret_hash, metadata,
       client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'org-1', 'Org', 'software-1', 'TPP', '{}', '{}', '{}', 'openid accounts',
     'private_key_jwt', 'PS256', 'PS256',
       'https://keys.example/software-1.jwks', 'directory', '\\x00', '{}', now(), now())`,
    [id],
  );
  await query(
    `INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at,
       authorised_at, psu_id, terms,
       challenge_id, accounts)
     SELECT gen_random_uuid(), $1, 'account-access', '3.1', CASE number % 2 WHEN 1 THEN 'Authorised' ELSE
     'AwaitingAuthorisation' END, now(), now(),
       CASE number % 2 WHEN 1 THEN now() END, CASE number % 2 WHEN 1 THEN 'psu-1' END, '{"permissions":[]}', 'c', '[]'
     FROM generate_series(1, $2::integer) AS number`,
    [id, count],
  );
  return id;
}

const remove = (clientId: string, interactionId: string): Promise<void> =>
  database.transaction(async (runner) => {
    await runner.query(
      'test-remove',
      `UPDATE clients SET status = 'Deleted', deleted_at = now(), removed_by = 'Bank' WHERE client_id = $1`,
      [clientId],
    );
    await endAccessOfClient(runner, { clientId, now: new Date(), interactionId });
  });

const statesOf = async (clientId: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await query<{ state: string; count: number }>(
        `SELECT concat_ws(' ', status, status_reason) AS state, count(*)::int AS count FROM access_consents WHERE
           client_id = $1 GROUP BY 1`,
        [clientId],
      )
    ).map(({ state, count }) => [state, count]),
  );

async function endAll(worker: AccessConsentService, limit: number): Promise<number[]> {
  const steps: number[] = [];
  for (;;) {
    const { ended, isMore } = await worker.endOfRemoved(limit);
    if (!isMore) return steps;
    steps.push(ended);
  }
}

it('a client that is suspended at the moment of its removal is removed as a suspended one', async () => {
  const clientId = await aClient(0);
  const { removed } = await database.transaction(async (runner) => {
    await administration().suspend(runner, clientId, new Date());
    const removal = database.transaction((other) => administration().remove(other, clientId, new Date()));
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await query(waiting, [])).length > 0);
    return { removed: removal };
  });
  expect(await removed).toBe(true);
  const events = 'SELECT details FROM audit_events WHERE client_id = $1 ORDER BY occurred_at';
  expect(await query(events, [clientId])).toEqual([
    { details: { from: 'Active', to: 'Suspended' } },
    { details: { from: 'Suspended', to: 'Deleted' } },
  ]);
});

describe('consents to access of a removed client', () => {
  it('end in steps of a bounded size, and whoever continues after a crash finds what is left', async () => {
    const [clientId, other, interactionId] = [await aClient(5), await aClient(2), randomUUID()];
    await remove(clientId, interactionId);
    expect(await countAccessToEnd(database, clientId)).toBe(5);
    // The customer sees nothing of it any more, though no consent has ended yet.
    expect(await new GivenAccessService(database).findOfPsu('psu-1', new Date())).toHaveLength(1);

    expect(await workers().endOfRemoved(2)).toEqual({ ended: 2, isMore: true });
    expect(await countAccessToEnd(database, clientId)).toBe(3);
    expect(await endAll(workers(), 2)).toEqual([2, 1]);

    expect(await countAccessToEnd(database, clientId)).toBeUndefined();
    expect(await statesOf(clientId)).toEqual({ 'Revoked ClientGone': 3, 'Rejected ClientGone': 2 });
    expect(await statesOf(other)).toEqual({ Authorised: 1, AwaitingAuthorisation: 1 });
    const events = await query<{ count: number }>(
      'SELECT count(*)::int AS count FROM audit_events WHERE client_id = $1 AND interaction_id = $2',
      [clientId, interactionId],
    );
    expect(events).toEqual([{ count: 5 }]);
  });

  it('end also where another client was removed before', async () => {
    const clients = [await aClient(1), await aClient(3)];
    for (const each of clients) await remove(each, randomUUID());
    expect((await endAll(workers(), 5)).toSorted()).toEqual([1, 3]);
    for (const each of clients) expect(await countAccessToEnd(database, each)).toBeUndefined();
  });

  it('end once each while two workers and the customer end them at the same time', async () => {
    const clientId = await aClient(200);
    await remove(clientId, randomUUID());
    const own = await query<{ consent_id: string }>(
      `SELECT consent_id FROM access_consents WHERE client_id = $1 AND status = 'Authorised' ORDER BY consent_id DESC`,
      [clientId],
    );
    const customer = new AccessEndService(database);
    const end = { psuId: 'psu-1', now: new Date(), interactionId: randomUUID() };
    await Promise.all([
      endAll(workers(), 30),
      endAll(workers(), 30),
      ...own.map(({ consent_id: consentId }) => customer.endOfPsu({ ...end, consentId })),
    ]);
    const states = await statesOf(clientId);
    expect(states['Rejected ClientGone']).toBe(100);
    // What the customer withdrew first may still be ended for good.
    expect(states['Revoked ClientGone']).toBe(100);
    expect(await countAccessToEnd(database, clientId)).toBeUndefined();
  });
});

describe('tokens of a removed client', () => {
  it('end in steps, the first with the removal, and the consents after the last of them', async () => {
    const [clientId, interactionId] = [await aClient(1), randomUUID()];
    const tokens = new AccessTokenStore(database);
    await query(
      `INSERT INTO access_tokens (token_hash, client_id, grant_type, scope, certificate_thumbprint, issued_at,
         expires_at)
       SELECT sha256((number || $1::text)::bytea), $1::uuid, 'client_credentials', 'accounts', 'x', now(), now() +
       interval '1 hour'
       FROM generate_series(1, 2500) AS number`,
      [clientId],
    );
    await query(
      `INSERT INTO authorization_codes (code_hash, client_id, redirect_uri, scope, psu_id, subject, acr,
         authenticated_at, consented_at, expires_at)
       VALUES (sha256($1::text::bytea), $1::uuid, 'https://tpp.example', 'accounts', 'psu-1', 's', 'sca', now(),
       now(), now())`,
      [clientId],
    );
    await query(
      `INSERT INTO refresh_grants (code_hash, client_id, scope, certificate_subject, psu_id, consented_at,
         issued_at, expires_at, consent_id)
       SELECT sha256($1::text::bytea), client_id, 'accounts', 'CN=tpp', psu_id, now(), now(), now() + interval
       '1 hour', consent_id
       FROM access_consents WHERE client_id = $1::uuid`,
      [clientId],
    );
    const removal = { clientId, now: new Date(), interactionId };
    expect(await database.transaction((runner) => tokens.revokeOfClient(runner, removal))).toBe(2_002);
    await remove(clientId, interactionId);

    const other = new AccessTokenStore(new Database(database.pool, { applicationName: 'another-process' }));
    const step = () => workers().endOfRemoved(10, (end) => other.revokeOfClient(database, end));
    expect(await step()).toEqual({ ended: 500, isMore: true });
    expect(await statesOf(clientId)).toEqual({ Authorised: 1 });
    expect(await step()).toEqual({ ended: 1, isMore: true });
    expect(await step()).toEqual({ ended: 0, isMore: false });

    expect(await statesOf(clientId)).toEqual({ 'Revoked ClientGone': 1 });
    const left = `SELECT count(*)::int AS count FROM access_tokens WHERE client_id = $1 AND revoked_at IS NULL`;
    expect(await query(left, [clientId])).toEqual([{ count: 0 }]);
    expect(await query(left.replace('access_tokens', 'refresh_grants'), [clientId])).toEqual([{ count: 0 }]);
    const events = await query(
      `SELECT actor, interaction_id, details FROM audit_events WHERE client_id = $1 AND action = 'token.revoke'
         ORDER BY details ->> 'count'`,
      [clientId],
    );
    const of = (count: number) => ({ actor: 'removed-clients', interaction_id: interactionId, details: { count } });
    expect(events).toEqual([of(2_000), of(500)]);
  });
});

it('file payments of a removed client that wait for approvals end in steps, beside those of others', async () => {
  const clientId = await aClient(0);
  const other = await aClient(0);
  for (const each of [clientId, other]) {
    await query(
      `WITH consents AS (
         INSERT INTO payment_consents (kind, api_version, consent_id, client_id, status, created_at,
         status_updated_at, expires_at, initiation, charges, psu_id,
           approvals_required, authorised_at, local_instrument, number_of_transactions, control_sum,
           approval_hash, approved_hash, challenge_id, debtor_account)
         SELECT 'file-payment', '3.1', gen_random_uuid(), $1, 'Consumed', now(), now(), now(), '{}', '[]', 'psu-1',
         2, now(), 'UK.OBIE.FPS', 1, 1, '\\x01', '\\x01', 'c', '{}'
           FROM generate_series(1, 201)
         RETURNING consent_id, client_id),
       created AS (
         INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at,
         status_updated_at, approvals_required,
           approvals_received, approvals_updated_at)
         SELECT gen_random_uuid(), consent_id, client_id, 'InitiationPending', now(), now(), 2, 1, now() FROM consents
         RETURNING payment_order_id)
       INSERT INTO payments (payment_id, payment_order_id, position, status, status_updated_at, amount)
       SELECT replace(gen_random_uuid()::text, '-', ''), payment_order_id, 0, 'Pending', now(), 1 FROM created`,
      [each],
    );
  }
  const end = { clientId, now: new Date() };
  for (const count of [200, 1, 0]) expect(await endApprovalsOfClient(database, end)).toBe(count);
  const states = `SELECT status, count(*)::int AS count FROM payment_orders WHERE client_id = $1 GROUP BY status`;
  expect(await query(states, [clientId])).toEqual([{ status: 'InitiationFailed', count: 201 }]);
  expect(await query(states, [other])).toEqual([{ status: 'InitiationPending', count: 201 }]);

  // An operator's command that ended half way is given again.
  await query(`UPDATE clients SET status = 'Suspended' WHERE client_id = $1`, [other]);
  await expect(operations().suspend(other, { actor: 'olivia' })).rejects.toThrow('is Suspended');
  expect(await query(states, [other])).toEqual([{ status: 'InitiationFailed', count: 201 }]);
});

describe('a payment that was under way when its client was removed', () => {
  const config = {
    idempotency: { retentionSeconds: 86_400 },
    filePayment: { cutOff: { strategy: 'accept' } },
    authorization: { approvalSeconds: 86_400 },
  } as Config;

  /** What a process does with a request whose token it has checked, however long ago. */
  const pay = (clientId: string, consentId: string) => {
    const store = new IdempotencyStore(database, config);
    const reader = new DatabaseReader(database, undefined);
    const request = { clientId, operation: 'POST', idempotencyKey: randomUUID(), requestHash: Buffer.alloc(32) };
    return new PaymentOrderService(store, database, reader, config, new Clock()).create(filePaymentKind, request, {
      consentId,
      apiVersion: '3.1',
      findMismatch: () => undefined,
    });
  };

  it('is not made: nothing is stored, and the consent is not spent', async () => {
    const [clientId, consentId] = [await aClient(0), randomUUID()];
    await authorise(clientId, consentId, 86_400);
    await query(`INSERT INTO instruction_lists (consent_id, amounts, instructions) VALUES ($1, '{1}', '')`, [
      consentId,
    ]);
    await query(`UPDATE clients SET status = 'Deleted' WHERE client_id = $1`, [clientId]);
    await expect(pay(clientId, consentId)).rejects.toMatchObject({ code: 'ClientNotActive' });
    const stored =
      'SELECT FROM idempotency_keys WHERE client_id = $1 UNION ALL SELECT FROM payment_orders WHERE client_id = $1';
    expect(await query(stored, [clientId])).toEqual([]);
    await query(`UPDATE clients SET status = 'Active' WHERE client_id = $1`, [clientId]);
    expect((await pay(clientId, consentId)).payment).toMatchObject({
      clientId,
      consentId,
      status: 'InitiationPending',
    });
  });

  it('is refused as expired where only that is the reason', async () => {
    const [clientId, consentId] = [await aClient(0), randomUUID()];
    await authorise(clientId, consentId, -1);
    await expect(pay(clientId, consentId)).rejects.toMatchObject({
      code: 'InvalidConsentStatus',
      message: 'The consent has expired.',
    });
  });
});
