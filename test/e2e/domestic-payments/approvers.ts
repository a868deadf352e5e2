import { describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { Customers } from '../chaos/customers/customers.js';
import { PageBrowser } from '../authorization/fapi-world.js';
import { dataOf } from '../file-payments/world.js';
import { consents, type DomesticWorld, pathOf } from './domestic-world.js';

const shared = ['bob', 'Brown & Clark Traders'] as const;

/** Single payments from an account that needs two people, in one version. */
export function describeApprovers({ version, tpp, sandbox }: DomesticWorld): void {
  const state = (status31: string, status40: string) => (version === '3.1' ? status31 : status40);

  /** A payment that waits for carol. */
  const aWaitingPayment = async (): Promise<{ path: string; status: unknown }> => {
    const paid = await tpp().payFor(await tpp().approve(await tpp().stage(), ...shared));
    return { path: pathOf(paid), status: dataOf(paid)['Status'] };
  };
  const decide = async (path: string, button: 'approve' | 'decline') => {
    const bank = openTestPool({ connectionString: sandbox().postgres.url('sandbox_bank'), max: 1 });
    const customers = new Customers(tpp().sandbox, bank);
    const verdict = await customers.decideFurther(path.split('/').at(-1) ?? '', 'carol', button);
    await bank.end();
    return verdict;
  };

  /** What carol reads on one of her own pages. */
  const readsAt = async (path: string): Promise<string> => {
    const browser = new PageBrowser(sandbox());
    const approvals = `${new URL(sandbox().description.authorization_endpoint).origin}/approvals`;
    const credentials = { username: 'carol', password: 'carol-password' };
    const page = await browser.submit(await browser.get(approvals), '/approvals/sign-in', credentials);
    await browser.submit(page, '/approvals/second-factor', { one_time_code: '333333' });
    return (await browser.get(`${approvals}${path}`)).html.replaceAll(/(?:<[^>]+>|\s)+/g, ' ');
  };

  describe(`several approvers in ${version}`, () => {
    it('DP-022, DP-036, DP-092, DP-093, DP-101 are waited for; one who declines ends it', async () => {
      const { path, status } = await aWaitingPayment();
      expect(status).toBe(state('Pending', 'RCVD'));
      const waiting = dataOf(await tpp().get(path));
      const multi = { Status: state('AwaitingFurtherAuthorisation', 'AWAF'), NumberRequired: 2, NumberReceived: 1 };
      expect(waiting).toMatchObject({ Status: state('Pending', 'PATC'), MultiAuthorisation: multi });
      const consent = dataOf(await tpp().get(`${consents}/${String(waiting['ConsentId'])}`));
      for (const name of ['ExpectedExecutionDateTime', 'ExpectedSettlementDateTime']) {
        for (const data of [waiting, consent]) expect(data).not.toHaveProperty(name);
      }
      expect(await decide(path, 'decline')).toBe('declined');
      const ended = dataOf(await tpp().get(path));
      const rejected = state('Rejected', 'RJCT');
      expect(ended).toMatchObject({ Status: rejected, MultiAuthorisation: { Status: rejected } });
      if (version === '4.0') {
        // DP-037
        expect(ended['StatusReason']).toEqual([
          {
            StatusReasonCode: 'U037',
            StatusReasonDescription: 'A person whose approval the account needs has declined.',
          },
        ]);
      }
      expect((await tpp().get(`${path}/payment-details`)).text).not.toMatch(/\bfile\b/);
    });

    it('DP-036, DP-081 who all approve send it to its scheme, and read in their lists whom it pays', async () => {
      const { path } = await aWaitingPayment();
      expect(await readsAt('')).toContain(' £10.50 to Dana Dole ');
      expect(await decide(path, 'approve')).toBe('approved');
      expect(await readsAt('/decided')).toContain(' £10.50 to Dana Dole ');
      const settled = state('AcceptedCreditSettlementCompleted', 'ACCC');
      await until(async () => dataOf(await tpp().get(path))['Status'] === settled);
      expect(dataOf(await tpp().get(path))).toMatchObject({
        MultiAuthorisation: { Status: state('Authorised', 'AUTH'), NumberReceived: 2 },
      });
    });

    it('DP-036 the end of their time ends it', async () => {
      const { path } = await aWaitingPayment();
      const aged = "UPDATE payment_orders SET created_at = now() - interval '8 days' WHERE payment_order_id = $1";
      await sandbox().database.query(aged, [path.split('/').at(-1)]);
      const rejected = state('Rejected', 'RJCT');
      await until(async () => dataOf(await tpp().get(path))['Status'] === rejected);
      expect(dataOf(await tpp().get(path))).toMatchObject({ MultiAuthorisation: { Status: rejected } });
    });
  });
}
