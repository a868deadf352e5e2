import { describe, expect, it } from '@jest/globals';
import { anInitiation, type DomesticWorld } from './domestic-world.js';

/** What the customer reads of a single payment, in one version. */
export function describePages({ version, tpp }: DomesticWorld): void {
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
