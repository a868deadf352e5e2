import { useDomesticWorlds, consents, pathOf, anInitiation } from './domestic-world.js';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../support/expectations.js';
import { openTestPool } from '../../support/open-test-pool.js';
import { Customers } from '../chaos/customers/customers.js';
import { PageBrowser } from '../authorization/fapi-world.js';
import { dataOf } from '../file-payments/world.js';

const worlds = useDomesticWorlds();

const shared = ['bob', 'Brown & Clark Traders'] as const;

/** Single payments from an account that needs two people, in one version. */
for (const { version, tpp, sandbox } of worlds) {
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

/** What the customer reads of a single payment, in one version. */
for (const { version, tpp } of worlds) {
  describe(`the page of a payment in ${version}`, () => {
    it('DP-080, DP-081, DP-082 the customer reads one payment, and that its account goes to the app only if it asked for it', async () => {
      const [plain, refundable] = [
        await tpp().pageFor(await tpp().stage()),
        await tpp().pageFor(await tpp().stage({}, { data: { ReadRefundAccount: 'Yes' } })),
      ];
      expect(plain).toContain('Approve this payment?');
      expect(plain).not.toMatch(/these payments|<table|id="refund"/);
      expect(refundable.replaceAll(/(?:<[^>]+>|\s)+/g, ' ')).toMatch(
        /Refunds If you approve, .+ will get the name and number of the account you pay from, so that they can refund you\./,
      );
      expect(refundable.indexOf('id="refund"')).toBeLessThan(refundable.indexOf('id="approve"'));
    });

    it('DP-083 nothing of Risk is shown; of 4.0 agent, proxy, final parties and documents are', async () => {
      const of40 = {
        CreditorAgent: { SchemeName: 'UK.OBIE.BICFI', Identification: 'BANKGB2L', Name: 'Dana’s Bank' },
        CreditorAccount: {
          ...(anInitiation('4.0')['CreditorAccount'] as object),
          Proxy: { Identification: '+447700900123', Code: 'TELE', Type: 'mobile' },
        },
        UltimateCreditor: { Name: 'Final Payee' },
        UltimateDebtor: { Name: 'True Payer' },
        RemittanceInformation: {
          Structured: [{ ReferredDocumentInformation: [{ Number: 'DOC-9' }], Invoicer: 'Biller' }],
        },
      };
      const page = await tpp().pageFor(await tpp().stage(version === '4.0' ? of40 : {}));
      expect(page).not.toMatch(/Leeds|TransferToThirdParty/);
      const details = ['Dana’s Bank', '+447700900123', 'Final Payee', 'True Payer', 'DOC-9', 'Biller'];
      if (version === '4.0') for (const detail of details) expect(page).toContain(detail);
    });
  });
}
