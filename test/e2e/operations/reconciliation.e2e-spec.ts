import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { aPaymentFile, type TestPaymentFile } from '../../support/a-payment-file.js';
import { anInitiation } from '../../support/a-consent-request.js';
import { aTpp, type AuthorisedConsent, type TestTpp } from '../../support/a-tpp.js';
import { expectEventually, until } from '../../support/expectations.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { runUnguarded } from '../../support/unguarded.js';
import { openTestPool } from '../../support/open-test-pool.js';

const execute = promisify(execFile);

interface Answer {
  readonly code: number;
  readonly text: string;
}

interface Found {
  differences: { filePaymentId: string; kind: string; paymentId?: string; isAcknowledged: boolean }[];
  totals: Record<string, unknown>;
}

let sandbox: TestSandbox;
let tpp: TestTpp;
let bank: Pool;

beforeAll(async () => {
  const environment = { RECONCILIATION_SECONDS: '1', RECONCILIATION_DELAY_SECONDS: '1' };
  sandbox = await startTestSandbox({ environment });
  tpp = await aTpp(sandbox);
  bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
});

afterAll(async () => {
  await bank?.end();
  tpp?.close();
  await sandbox?.stop();
});

/** The program as an operator starts it. */
const operate = (...words: string[]): Promise<Answer> => operateWith('', ...words);

const operateWith = (input: string, ...words: string[]): Promise<Answer> => {
  const file = join(sandbox.directory, 'service.env');
  const parameters = ['dist/apps/operator/src/main.js', '--env-file', file, 'payments', ...words];
  const running = execute(process.execPath, parameters, { env: { PATH: process.env['PATH'] }, timeout: 120_000 });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout || error.stderr,
    }),
  );
};

const reconcile = async (...words: string[]): Promise<Found & { code: number }> => {
  const { code, text } = await operate('reconcile', ...words);
  return { code, ...(JSON.parse(text) as Found) };
};

const query = async (sql: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]> =>
  (await sandbox.database.query<Record<string, unknown>>(sql, parameters)).rows;
const stage = (sql: string, ...parameters: unknown[]): Promise<void> => runUnguarded(sandbox.database, sql, parameters);

const statusOf = async (filePaymentId: string): Promise<unknown> =>
  (await query('SELECT status FROM payment_orders WHERE payment_order_id = $1', filePaymentId))[0]?.['status'];

/** @returns the id of a file payment that has been handed over */
const pay = async (file: TestPaymentFile = aPaymentFile()): Promise<string> => {
  const answer = (await tpp.pay(await tpp.authorise(file))).json() as { Data: { FilePaymentId: string } };
  await expectEventually(() => statusOf(answer.Data.FilePaymentId), 'InitiationCompleted');
  return answer.Data.FilePaymentId;
};

const amounts = (...values: string[]): TestPaymentFile =>
  aPaymentFile({
    payments: values.length,
    item: (index) => ({ InstructedAmount: { Amount: values[index], Currency: 'GBP' } }),
  });

const kindsOf = ({ differences }: Found, filePaymentId: string): string[] => [
  ...new Set(differences.filter((each) => each.filePaymentId === filePaymentId).map(({ kind }) => kind)),
];

/** Takes a file payment out of the database, as a restore does. */
const lose = async (filePaymentId: string, consentId: string): Promise<void> => {
  await stage('DELETE FROM payments WHERE payment_order_id = $1', filePaymentId);
  await stage('DELETE FROM payment_orders WHERE payment_order_id = $1', filePaymentId);
  await stage('DELETE FROM reconciliations WHERE consent_id = $1', consentId);
  await stage(`UPDATE payment_consents SET status = 'Authorised' WHERE consent_id = $1`, consentId);
};
const payFor = async (consent: AuthorisedConsent): Promise<string> =>
  ((await tpp.pay(consent)).json() as { Data: { FilePaymentId: string } }).Data.FilePaymentId;
const booked = async (filePaymentId: string): Promise<number> =>
  (await bank.query('SELECT FROM payments WHERE batch_key = $1', [filePaymentId])).rowCount ?? 0;
const reserved = async (): Promise<unknown> =>
  (await bank.query('SELECT sum(reserved_pence)::int AS pence FROM accounts')).rows;

describe('reconciliation with the sandbox’s bank', () => {
  it('finds nothing in files with rejected, held and later payments, by the command and by the worker: exit code 0', async () => {
    const later = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const ids = [
      await pay(amounts('10.99', '5.00')),
      await pay(amounts('1.98', '2.97', '3.00')),
      await pay(aPaymentFile({ payments: 3, item: () => ({ RequestedExecutionDateTime: later }) })),
    ];
    const { code, differences, totals } = await reconcile();
    expect({ code, differences }).toEqual({ code: 0, differences: [] });
    expect(totals).toMatchObject({
      paymentOrders: 3,
      payments: 8,
      sum: '55.44',
      differences: 0,
      bank: { Compared: 3, NotOffered: 0, Away: 0, Unreadable: 0 },
    });
    await until(async () => {
      const compared = await query(
        `SELECT FROM reconciliations WHERE reconciled_at IS NOT NULL AND differences IS NULL`,
      );
      return compared.length === ids.length;
    });
    expect(await operate('differences')).toEqual({ code: 0, text: '[]\n' });
  });

  it('finds each of three faults by the command and by the worker: exit code 1, metric and event, until acknowledged', async () => {
    const [missing, changed, paid] = [await pay(), await pay(), await pay()];
    await stage('DELETE FROM payments WHERE payment_order_id = $1', missing);
    await stage(
      `UPDATE instruction_lists SET instructions = replace(instructions, 'A Supplier Ltd', 'Mallory')
        WHERE consent_id = (SELECT consent_id FROM payment_orders WHERE payment_order_id = $1)`,
      changed,
    );
    await stage(
      `UPDATE payments SET status = 'Rejected', handed_over_at = NULL WHERE payment_order_id = $1 AND position = 1`,
      paid,
    );
    // The worker may have looked before the faults were there.
    await query('UPDATE reconciliations SET due_at = changed_at');

    const found = await reconcile('--since', '1');
    expect(found.code).toBe(1);
    expect(kindsOf(found, missing)).toEqual(['PaymentsMissing', 'SumDiffers', 'PaymentOnlyAtBank']);
    expect(kindsOf(found, changed)).toEqual(['HashDiffers']);
    expect(kindsOf(found, paid)).toEqual(['PaymentOnlyAtBank']);
    const one = await reconcile('--payment-order', changed);
    expect([one.code, one.totals['paymentOrders'], one.differences.length]).toEqual([1, 1, 1]);
    const table = await operate('reconcile', '--payment-order', changed, '--format', 'table');
    expect(table).toMatchObject({ code: 1, text: expect.stringMatching(new RegExp(`^.*\n${changed} +HashDiffers`)) });

    const open = async (): Promise<string[]> =>
      (JSON.parse((await operate('differences')).text) as { filePaymentId: string }[]).map(
        (each) => each.filePaymentId,
      );
    await until(async () => (await query('SELECT FROM reconciliations WHERE differences IS NOT NULL')).length === 3);
    expect((await open()).toSorted()).toEqual([missing, changed, paid].toSorted());
    const events = await query(`SELECT resource_id FROM domain_events WHERE event_type = 'file-payment.difference'`);
    expect(events.map((event) => event['resource_id']).toSorted()).toEqual([missing, changed, paid].toSorted());
    expect(await measured('open_banking_payment_differences{kind="HashDiffers"}')).toBe(1);
    expect(await measured('open_banking_payment_differences{kind="PaymentsMissing"}')).toBe(1);
    expect(await measured('open_banking_payment_differences{kind="PaymentOnlyAtBank"}')).toBe(3);

    expect((await operate('acknowledge', changed, '--reason', 'incident 7', '--by', 'olivia')).code).toBe(0);
    expect((await operate('acknowledge', changed, '--reason', 'incident 7')).code).toBe(1);
    expect((await open()).toSorted()).toEqual([missing, paid].toSorted());
    const known = await reconcile('--payment-order', changed);
    expect([known.code, known.differences[0]?.isAcknowledged]).toEqual([0, true]);
    const [audit] = await query(`SELECT actor, details FROM audit_events WHERE action = 'payment-order.acknowledge'`);
    expect(audit).toMatchObject({ actor: 'olivia', details: { filePaymentId: changed, reason: 'incident 7' } });
  });

  it('finds what the bank has otherwise: another amount, and a payment that it lost', async () => {
    const id = await pay(amounts('7.00', '8.00'));
    const [first, second] = await query(
      'SELECT payment_id FROM payments WHERE payment_order_id = $1 ORDER BY position',
      id,
    );
    await bank.query(
      `UPDATE payments SET instruction = jsonb_set(instruction, '{amount}', '"70.00"') WHERE payment_id = $1`,
      [first?.['payment_id']],
    );
    await bank.query('DELETE FROM payments WHERE payment_id = $1', [second?.['payment_id']]);
    await stage(
      `UPDATE payments SET handed_over_at = handed_over_at - interval '2 minutes' WHERE payment_order_id = $1`,
      id,
    );
    const found = await reconcile('--payment-order', id);
    expect(found.differences.map(({ kind, paymentId }) => [kind, paymentId])).toEqual([
      ['AmountDiffers', first?.['payment_id']],
      ['PaymentNotAtBank', second?.['payment_id']],
    ]);
  });

  it('finds what only the bank has, in a list from the bank: exit code 1, and no consent', async () => {
    const [known, lost] = [await pay(), await pay()];
    const list = join(sandbox.directory, 'file-payments-of-the-bank');
    await writeFile(list, `${known}\n`);
    expect(await reconcile('--listed', list)).toMatchObject({
      code: 0,
      differences: [],
      totals: { paymentOrders: 1, onlyAtBank: 0, bank: { Compared: 1 } },
    });
    // As after a restore of the database to a moment before it.
    await stage('DELETE FROM payments WHERE payment_order_id = $1', lost);
    await stage('DELETE FROM payment_orders WHERE payment_order_id = $1', lost);
    await writeFile(list, `${known}\n${lost.toUpperCase()}\n\n${lost}\n`);
    const found = await reconcile('--listed', list);
    const { rows } = await bank.query<{ payment_id: string }>(
      'SELECT payment_id FROM payments WHERE batch_key = $1 ORDER BY 1',
      [lost],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(found.differences).toMatchObject(
      rows.map(({ payment_id: paymentId }) => ({
        filePaymentId: lost,
        consentId: null,
        kind: 'PaymentOnlyAtBank',
        paymentId,
        isAcknowledged: false,
      })),
    );
    expect([found.code, found.totals]).toMatchObject([
      1,
      { paymentOrders: 1, unknown: 1, onlyAtBank: 1, bank: { Compared: 2 } },
    ]);
    // What never reached the bank is no difference: nothing was made of it.
    const never = randomUUID();
    const piped = await operateWith(`${never}\n${known}\n`, 'reconcile', '--listed', '-');
    expect([piped.code, JSON.parse(piped.text)]).toMatchObject([
      0,
      { differences: [], totals: { paymentOrders: 1, unknown: 1, onlyAtBank: 0, bank: { Compared: 2 } } },
    ]);
    const table = await operate('reconcile', '--listed', list, '--format', 'table');
    expect(table.text).toMatch(new RegExp(`^${lost} +PaymentOnlyAtBank +${rows[0]?.payment_id} +none`, 'm'));
  });

  it('names an approval that nobody gave, and the bank reserves nothing for it', async () => {
    const honest = await tpp.authorise();
    const file = aPaymentFile();
    const consentId = await tpp.stageFile(file);
    // As a superuser of the database: all that the customer's approval writes, with the challenge of another file.
    await query(
      `UPDATE payment_consents AS forged SET status = 'Authorised', authorised_at = now(), approved_hash = forged.approval_hash,
         psu_id = honest.psu_id, debtor_account = honest.debtor_account, challenge_id = honest.challenge_id
       FROM payment_consents AS honest WHERE forged.consent_id = $1 AND honest.consent_id = $2`,
      consentId,
      honest.consentId,
    );
    const filePaymentId = await payFor({ ...honest, consentId, initiation: anInitiation(file) });
    await expectEventually(() => statusOf(filePaymentId), 'InitiationFailed');
    const [{ status_reason: reason } = {}] = await query(
      'SELECT status_reason FROM payment_orders WHERE payment_order_id = $1',
      filePaymentId,
    );
    expect([reason, await booked(filePaymentId)]).toEqual(['NotApproved', 0]);
    const { code, differences } = await reconcile('--payment-order', filePaymentId);
    expect([code, differences.map(({ kind }) => kind)]).toEqual([1, ['ApprovalNotRecorded']]);
  });

  describe('after a restore to a moment between approval and payment', () => {
    it('a file payment made again has its former id, and the bank neither reserves nor pays it again', async () => {
      const consent = await tpp.authorise();
      const filePaymentId = await payFor(consent);
      await expectEventually(() => statusOf(filePaymentId), 'InitiationCompleted');
      const before = await reserved();
      await lose(filePaymentId, consent.consentId);

      expect(await payFor(consent)).toBe(filePaymentId);
      await expectEventually(() => statusOf(filePaymentId), 'InitiationCompleted');
      expect(await booked(filePaymentId)).toBe(2);
      expect(await reserved()).toEqual(before);
      expect((await reconcile('--payment-order', filePaymentId)).differences).toEqual([]);
    });

    it('one that somebody had rejected is held, and the bank has none of it', async () => {
      const consent = await tpp.authorise();
      await operate('stop', '--client', tpp.clientId, '--reason', 'incident 8');
      const filePaymentId = await payFor(consent);
      expect((await operate('reject', filePaymentId, '--reason', 'incident 8')).code).toBe(0);
      await expectEventually(() => statusOf(filePaymentId), 'InitiationFailed');
      await lose(filePaymentId, consent.consentId);
      await operate('resume', '--client', tpp.clientId, '--reason', 'incident 8');

      expect(await payFor(consent)).toBe(filePaymentId);
      await until(async () => {
        const sql = 'SELECT FROM payment_orders WHERE payment_order_id = $1 AND held_at IS NOT NULL';
        return (await query(sql, filePaymentId)).length === 1;
      });
      expect(await booked(filePaymentId)).toBe(0);
    });
  });

  it('takes no list with anything else in it', async () => {
    const list = join(sandbox.directory, 'no-list');
    expect((await operate('reconcile', '--listed', list)).text).toMatch(/^The list cannot be read: ENOENT/);
    await writeFile(list, '\nDATABASE_URL=postgres://secret\n');
    const answer = await operate('reconcile', '--listed', list);
    expect(answer).toEqual({ code: 1, text: 'Line 2 of the list is not the id of a payment order.\n' });
  });

  it('knows no file payment that does not exist: exit code 1, and nothing else is printed', async () => {
    const { code, text } = await operate('reconcile', '--payment-order', '01890a5d-ac96-774b-bcce-b302099a8057');
    expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/^There is no payment order/) });
  });
});

async function measured(sample: string): Promise<number | undefined> {
  const text = await (await fetch(`http://127.0.0.1:${sandbox.ports.admin}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
  return line === undefined ? undefined : Number(line.slice(sample.length + 1));
}
