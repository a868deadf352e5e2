import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { TestTpp } from '../../support/a-tpp.js';
import { expectObError } from '../../support/expectations.js';
import { consents, dataOf, type GetWorld } from './world.js';

/** Erasure of files: what they said of people goes, what was paid stays. */
export function describeRetention(world: GetWorld): void {
  const housekeeping = async (...parameters: string[]): Promise<string> => {
    const { databaseUrl } = world().sandbox;
    const program = ['dist/apps/worker/src/housekeeping-command.js', ...parameters];
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl };
    return (await promisify(execFile)(process.execPath, program, { env })).stdout;
  };

  describe('npm run housekeeping', () => {
    it('erases a file of which nothing more can come, and keeps totals and states', async () => {
      const { tpp, sandbox } = world();
      const file = aPaymentFile({ payments: 3 });
      const consent = await tpp.authorise(file);
      expect(await housekeeping('erase', '--consent', consent.consentId)).toMatch(/^Erased: 0 /);
      const path = `/file-payments/${String(dataOf(await tpp.pay(consent))['FilePaymentId'])}`;
      while (dataOf(await tpp.get(path))['Status'] === 'InitiationPending') {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const details = await tpp.get(`${path}/payment-details`);
      expect(await housekeeping('retain', '--days', '1')).toBe('Erased: 0\n');
      expect(await housekeeping('erase', '--consent', consent.consentId)).toBe('Erased: 1\n');

      const { rows } = await sandbox.database.query(
        'SELECT length(content) AS length FROM payment_files WHERE consent_id = $1',
        [consent.consentId],
      );
      expect(rows).toEqual([{ length: 0 }]);
      expectObError(await tpp.get(`${consents}/${consent.consentId}/file`), 400, 'Resource.NotFound', 'ConsentId');
      expect((await tpp.get(`${path}/payment-details`)).json()).toEqual(details.json());
      // Not checked against the type of the report: the payments of the file are gone.
      const report = dataOf(await new TestTpp(tpp).get(`${path}/report-file`));
      expect(report).toMatchObject({ NumberOfTransactions: '3', ControlSum: 31.5, Status: 'InitiationCompleted' });
      const states = dataOf(details)['PaymentStatus'] as { PaymentTransactionId: string; Status: string }[];
      expect(report['DomesticPayments']).toEqual(
        states.map(({ PaymentTransactionId, ...state }) => ({ PaymentId: PaymentTransactionId, ...state })),
      );
    });

    it('says how it is used', async () => {
      await expect(housekeeping('erase')).rejects.toThrow(/Usage: npm run housekeeping/);
    });
  });
}
