import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { approvalEventId } from '#libs/audit';
import type { Config } from '#libs/config';
import { PaymentQueue, paymentIdOf, SettlementWatch, rejectHeldOrder, seizeOrder } from '#libs/payment-order';
import { Database, openPool } from '#libs/persistence';
import { BankCalls, PaymentProcessor, SettlementWatcher } from '../../support/apps/worker.js';
import { makeInstructionList } from '../../support/make-instruction-list.js';
import { migratedDatabase, type RunDatabase } from '../../support/run-database.js';
import { ScriptedScheme, SetClock } from '../../support/scripted-scheme.js';

let runDatabase: RunDatabase;
export let database: Database;
export let clock: SetClock;
export let scheme: ScriptedScheme;
export let processor: PaymentProcessor;
export let watcher: SettlementWatcher;
export const clientId = randomUUID();
const cutOff = { strategy: 'accept', calendar: { times: {}, holidays: [] } };
export const config = {
  filePayment: { leaseSeconds: 15, faultLimit: 3, settlementDays: 10, cutOff },
  reconciliation: { seconds: 300, delaySeconds: 60 },
  bank: { timeoutMilliseconds: 5_000 },
} as unknown as Config;

/** Starts the database before the tests of a spec; each test has a bank, a clock and workers of its own. */
export function usePaymentProcessor(): void {
  beforeAll(async () => {
    // The processor's log of scripted outages would only clutter the output.
    Logger.overrideLogger(false);
    runDatabase = await migratedDatabase();
    const { url } = runDatabase;
    const settings = { url, poolSize: 10, applicationName: 'payment-processor.int-spec' };
    database = new Database(openPool(settings), settings);
    await run(
      `INSERT INTO clients (client_id, status, org_id, org_name, software_id, client_name, redirect_uris, grant_types,
       response_types, scope, token_endpoint_auth_method, id_token_signed_response_alg, request_object_signing_alg, jwks_uri, directory_issuer,
       secret_hash, metadata, client_id_issued_at, updated_at)
     VALUES ($1, 'Active', 'o', 'O', 's', 'S', '{}', '{}', '{}', 'payments', 'private_key_jwt', 'PS256', 'PS256', 'u', 'directory', '', '{}',
       now(), now())`,
      [clientId],
    );
  });

  afterAll(async () => {
    await database?.onApplicationShutdown();
    await runDatabase?.drop();
  });

  beforeEach(async () => {
    await run('TRUNCATE payments, payment_orders, reconciliations CASCADE', []);
    clock = new SetClock();
    scheme = new ScriptedScheme(undefined as never);
    processor = aProcessor();
    watcher = new SettlementWatcher(new SettlementWatch(database, clock), scheme, new BankCalls(10));
  });
}

/** A worker that makes ten calls at the same time. */
export const aProcessor = (queue = new PaymentQueue(database, config, clock), calls = new BankCalls(10)) =>
  new PaymentProcessor(queue, scheme, calls, config);

/** @returns whether a file payment was due; then its work is done */
export async function processNext(worker: PaymentProcessor): Promise<boolean> {
  const isBusy = await worker.startNext();
  await worker.finish();
  return isBusy;
}

export const run = async (sql: string, parameters: readonly unknown[]) =>
  (await database.query<Record<string, unknown>>(createHash('md5').update(sql).digest('hex'), sql, parameters)).rows;

const anItem = (changes: Record<string, unknown>) => ({
  InstructionIdentification: 'I',
  InstructedAmount: { Amount: '1.00', Currency: 'GBP' },
  CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: 'C' },
  ...changes,
});

/** An accepted file payment that is due now. */
export async function aFilePayment(items: Record<string, unknown>[]): Promise<string> {
  const [filePaymentId, consentId] = [randomUUID(), randomUUID()];
  const content = Buffer.from(JSON.stringify({ File: { Data: { DomesticPayments: items.map(anItem) } } }));
  const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678' };
  const ids = items.map((_, index) => paymentIdOf(consentId, index + 1));
  const { list, instructions, amounts, approvalHash } = makeInstructionList(content);
  await run(
    `INSERT INTO payment_consents (consent_id, client_id, status, created_at, status_updated_at, expires_at, initiation,
       charges, local_instrument, number_of_transactions, control_sum, psu_id, debtor_account, approvals_required, approval_hash,
       approved_hash, kind, api_version, authorised_at, challenge_id)
     VALUES ($1, $2, 'Consumed', $3, $3, $3, '{}', '[]', 'UK.OBIE.FPS', $4, $7, 'psu', $5, 1, $6, $6, 'file-payment', '3.1', $3, 'challenge')`,
    [consentId, clientId, clock.now(), items.length, JSON.stringify(account), approvalHash, list.total],
  );
  await run(
    `INSERT INTO audit_events (event_id, occurred_at, actor, action, client_id, details)
     VALUES (${approvalEventId('$1', `'challenge'`)}, $2, 'authorize', 'consent.authorised', $3, '{"psuId": "psu"}')`,
    [consentId, clock.now(), clientId],
  );
  const stored = [consentId, instructions, amounts];
  await run('INSERT INTO instruction_lists (consent_id, instructions, amounts) VALUES ($1, $2, $3)', stored);
  const file = [consentId, content, clock.now()];
  await run('INSERT INTO payment_files (consent_id, content, uploaded_at) VALUES ($1, $2, $3)', file);
  await run(
    `WITH created AS (
       INSERT INTO payment_orders (payment_order_id, consent_id, client_id, status, created_at, status_updated_at,
         approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
       VALUES ($1, $2, $3, 'InitiationPending', $4, $4, 1, 1, $4, $4) RETURNING payment_order_id)
     INSERT INTO payments (payment_id, payment_order_id, position, amount, status, status_updated_at)
     SELECT item.payment_id, created.payment_order_id, item.number - 1, item.amount, 'Pending', $4
       FROM created, unnest($5::text[], $6::numeric[]) WITH ORDINALITY AS item (payment_id, amount, number)`,
    [filePaymentId, consentId, clientId, clock.now(), ids, amounts],
  );
  return filePaymentId;
}

export const stateOf = async (filePaymentId: string) => {
  const [file] = await run('SELECT status, next_attempt_at FROM payment_orders WHERE payment_order_id = $1', [
    filePaymentId,
  ]);
  const payments = await run(
    'SELECT status, status_detail FROM payments WHERE payment_order_id = $1 ORDER BY position',
    [filePaymentId],
  );
  return { status: file?.['status'], isDue: file?.['next_attempt_at'] !== null, payments };
};

/** Works until nothing is due. */
export const drain = async (worker: PaymentProcessor): Promise<void> => {
  while (await worker.startNext());
  await worker.finish();
};

export const many = (count: number): Record<string, unknown>[] => Array.from({ length: count }, () => ({}));

export const day = 86_400_000;
export const good = { status: 'AcceptedCreditSettlementCompleted' } as const;

/** What an operator does: takes the file payment from every worker, then ends it. */
export async function rejectFile(filePaymentId: string, settleBy = clock.now()): Promise<string | undefined> {
  const seized = await seizeOrder(database, filePaymentId);
  if (seized === undefined) return undefined;
  const { handOverAttempt } = seized;
  return rejectHeldOrder(database, { filePaymentId, handOverAttempt, now: clock.now(), settleBy });
}
