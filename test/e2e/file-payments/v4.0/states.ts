import { describe, expect, it } from '@jest/globals';
import { aPaymentFile } from '../../../support/a-payment-file.js';
import type { AuthorisedConsent } from '../../../support/a-tpp.js';
import { until } from '../../../support/expectations.js';
import { Customers } from '../../chaos/customers/customers.js';
import { consents, dataOf } from '../world.js';
import { decline, type GetWorld40 } from './world-40.js';
import { openTestPool } from '../../../support/open-test-pool.js';

const shared = { customer: 'bob', accountName: 'Brown & Clark Traders' } as const;

const tooMuch = () => ({ InstructedAmount: { Amount: '900000.00', Currency: 'GBP' } });

interface Reason {
  StatusReasonCode: string;
  StatusReasonDescription: string;
}

/** @returns the codes of StatusReason, each of which has a sentence */
function reasonsOf(data: Record<string, unknown>): string[] {
  const reasons = (data['StatusReason'] ?? []) as Reason[];
  for (const { StatusReasonDescription } of reasons) expect(StatusReasonDescription).toMatch(/^[A-Z].+\.$/);
  return reasons.map(({ StatusReasonCode }) => StatusReasonCode);
}

/** F4-010 to F4-016. */
export function describeStates40(world: GetWorld40): void {
  const consentOf = async (consentId: string) => dataOf(await world().tpp.get(`${consents}/${consentId}`));
  const pay = async (consent: AuthorisedConsent): Promise<string> => {
    const paid = await world().tpp.pay(consent);
    expect({ status: paid.status, text: paid.text }).toMatchObject({ status: 201 });
    return `/file-payments/${String(dataOf(paid)['FilePaymentId'])}`;
  };

  describe('states and why', () => {
    it('F4-013 says why a consent or a file payment waits or has ended', async () => {
      const { tpp } = world();
      expect(reasonsOf(await consentOf(await tpp.stageConsent()))).toEqual(['U031']);
      expect(reasonsOf(await consentOf(await tpp.stageFile()))).toEqual(['U036']);
      const consent = await tpp.authorise();
      expect(await consentOf(consent.consentId)).not.toHaveProperty('StatusReason');
      const paid = dataOf(await tpp.pay(consent));
      expect([paid['Status'], reasonsOf(paid)]).toEqual(['PDNG', ['U030']]);
      expect(reasonsOf(await consentOf(consent.consentId))).toEqual(['U038']);
    });

    it('F4-056 says in plain words why nothing was authorised', async () => {
      const left = await decline(world(), await world().tpp.stageFile());
      const { searchParams, hash } = new URL(left);
      const told = new URLSearchParams(hash === '' ? searchParams.toString() : hash.slice(1));
      expect(told.get('error')).toBe('access_denied');
      expect(told.get('error_description')).toMatch(/^[a-z ]{10,}\.?$/i);
      expect(told.get('error_description')).not.toMatch(/U0\d\d/);
    });

    it('F4-014 distinguishes the reasons of a rejection', async () => {
      const { tpp, sandbox } = world();
      const [mismatched, declined, expired] = [await tpp.stageConsent(), await tpp.stageFile(), await tpp.stageFile()];
      const other = tpp.file({ payments: 3 });
      expect((await tpp.upload(mismatched, other)).status).toBe(400);
      await decline(world(), declined);
      await sandbox.database.query(
        "UPDATE payment_consents SET expires_at = now() - interval '1 s' WHERE consent_id = $1",
        [expired],
      );
      await until(async () => (await tpp.consentStatus(expired)) === 'RJCT');
      const found = await Promise.all([mismatched, declined, expired].map(consentOf));
      expect(found.map((data) => [data['Status'], ...reasonsOf(data)])).toEqual([
        ['RJCT', 'NARR'],
        ['RJCT', 'U033'],
        ['RJCT', 'U036'],
      ]);
    });

    it('F4-012, F4-015 several approvers: AWAF while they are waited for, RJCT and U037 when one declines', async () => {
      const { tpp, sandbox } = world();
      const [path, other] = [
        await pay(await tpp.authorise(tpp.file(), shared)),
        await pay(await tpp.authorise(tpp.file(), shared)),
      ];
      const waiting = dataOf(await tpp.get(path));
      expect(waiting).toMatchObject({ Status: 'PDNG', MultiAuthorisation: { Status: 'AWAF', NumberRequired: 2 } });
      expect(reasonsOf(waiting)).toEqual(['U040']);
      const bank = openTestPool({ connectionString: sandbox.postgres.url('sandbox_bank'), max: 1 });
      const customers = new Customers(tpp.sandbox, bank);
      const decide = (of: string, button: 'approve' | 'decline') =>
        customers.decideFurther(of.split('/').at(-1) ?? '', 'carol', button);
      expect([await decide(path, 'decline'), await decide(other, 'approve')]).toEqual(['declined', 'approved']);
      await bank.end();
      const ended = dataOf(await tpp.get(path));
      expect(ended).toMatchObject({ Status: 'INFA', MultiAuthorisation: { Status: 'RJCT' } });
      expect(reasonsOf(ended)).toEqual(['U037']);
      expect(dataOf(await tpp.get(other))).toMatchObject({
        MultiAuthorisation: { Status: 'AUTH', NumberRequired: 2, NumberReceived: 2 },
      });
      await until(async () => dataOf(await tpp.get(other))['Status'] === 'INCO');
    });

    it('F4-015, F4-016 a file without the money for it: INFA, AM04, each payment RJCT', async () => {
      const { tpp } = world();
      const file = aPaymentFile({ version: '4.0', item: tooMuch });
      const path = await pay(await tpp.authorise(file, { customer: 'dave', accountName: 'Dixon Current' }));
      await until(async () => dataOf(await tpp.get(path))['Status'] !== 'PDNG');
      const failed = dataOf(await tpp.get(path));
      expect([failed['Status'], ...reasonsOf(failed)]).toEqual(['INFA', 'AM04']);
      const { PaymentStatus } = dataOf(await tpp.get(`${path}/payment-details`));
      for (const payment of PaymentStatus as Record<string, unknown>[]) {
        expect(payment).toMatchObject({
          Status: 'RJCT',
          StatusDetail: { Status: 'RJCT', StatusReason: 'AM04', LocalInstrument: 'UK.OBIE.FPS' },
        });
      }
    });
  });
}
