import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'lossless-json';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { TestTpp } from '../../support/a-tpp.js';
import { expectObError, until } from '../../support/expectations.js';
import { consents, dataOf } from './world.js';
import { useWorld } from './use-world.js';

const world = useWorld();

const secret = 'Secret Payroll';

const housekeeping = async (...parameters: string[]): Promise<string> => {
  const { databaseUrl } = world().sandbox;
  const program = ['dist/apps/worker/src/housekeeping-command.js', ...parameters];
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, DATABASE_TLS: 'any' };
  return (await promisify(execFile)(process.execPath, program, { env })).stdout;
};

/** Erasure removes personal data and keeps what was paid. */
describe('npm run housekeeping', () => {
  it('erases a finished file, and keeps totals and states', async () => {
    const { tpp, sandbox } = world();
    const amounts = ['10.50', '10.50', '10.99'];
    const file = aPaymentFile({
      payments: 3,
      item: (index) => ({ InstructedAmount: { Amount: amounts[index], Currency: 'GBP' } }),
    });
    const initiation = {
      DebtorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: secret },
      RemittanceInformation: { Unstructured: secret },
      SupplementaryData: { note: `${secret}\u0000` },
    };
    const consent = await tpp.authorise(file, { initiation });
    expect(await housekeeping('erase', '--consent', consent.consentId)).toMatch(/^Erased: 0 /);
    const path = `/file-payments/${String(dataOf(await tpp.pay(consent))['FilePaymentId'])}`;
    await until(async () => dataOf(await tpp.get(path))['Status'] !== 'InitiationPending');
    const details = await tpp.get(`${path}/payment-details`);
    expect(await housekeeping('retain', '--days', '1')).toBe('Erased: 0\n');
    expect(await housekeeping('erase', '--consent', consent.consentId)).toBe('Erased: 1\n');

    const { rows } = await sandbox.database.query(
      'SELECT length(content) AS length FROM payment_files WHERE consent_id = $1',
      [consent.consentId],
    );
    expect(rows).toEqual([{ length: 0 }]);
    expectObError(await tpp.get(`${consents}/${consent.consentId}/file`), 400, 'Resource.NotFound', 'ConsentId');
    const read = dataOf(await tpp.get(`${consents}/${consent.consentId}`));
    const {
      DebtorAccount: _account,
      RemittanceInformation: _text,
      SupplementaryData: _data,
      ...kept
    } = consent.initiation;
    expect(read['Initiation']).toEqual(JSON.parse(stringify(kept) ?? ''));
    const remaining = await tpp.get(`${path}/payment-details`);
    expect(details.text).toContain("The creditor's account is closed.");
    expect(remaining.text).toBe(
      details.text.replace(`,"StatusReasonDescription":"The creditor's account is closed."`, ''),
    );
    const everything = await sandbox.database.query(
      `SELECT consent::text || file::text || list::text AS text FROM payment_consents AS consent
         JOIN payment_files AS file USING (consent_id) JOIN instruction_lists AS list USING (consent_id) WHERE consent_id = $1`,
      [consent.consentId],
    );
    expect(String(everything.rows[0]?.['text'])).not.toMatch(/Secret|20000112345678/);
    // Not checked against the type of the report: the payments of the file are gone.
    const report = dataOf(await new TestTpp(tpp).get(`${path}/report-file`));
    expect(report).toMatchObject({ NumberOfTransactions: '3', ControlSum: 31.99, Status: 'InitiationCompleted' });
    const states = dataOf(remaining)['PaymentStatus'] as { PaymentTransactionId: string; Status: string }[];
    expect(report['DomesticPayments']).toEqual(
      states.map(({ PaymentTransactionId, ...state }) => ({ PaymentId: PaymentTransactionId, ...state })),
    );
  });

  it('erases the data of a rejected consent without a file, and does not touch an open one', async () => {
    const { tpp, sandbox } = world();
    const initiation = { RemittanceInformation: { Unstructured: secret } };
    const [living, rejected] = [
      await tpp.stageConsent(undefined, initiation),
      await tpp.stageConsent(undefined, initiation),
    ];
    await sandbox.database.query("UPDATE payment_consents SET status = 'Rejected' WHERE consent_id = $1", [rejected]);
    expect(await housekeeping('erase', '--consent', living)).toMatch(/^Erased: 0 /);
    await sandbox.database.query(
      "UPDATE payment_consents SET status_updated_at = now() - interval '9 days' WHERE consent_id = ANY($1)",
      [[living, rejected]],
    );
    expect(await housekeeping('retain', '--days', '8')).toBe('Erased: 1\n');
    const texts = await Promise.all([living, rejected].map((id) => tpp.get(`${consents}/${id}`)));
    expect(texts.map(({ text }) => text.includes(secret))).toEqual([true, false]);
  });

  it('says how it is used', async () => {
    await expect(housekeeping('erase')).rejects.toThrow(/Usage: npm run housekeeping/);
  });
});
