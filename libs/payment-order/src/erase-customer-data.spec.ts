import { describe, expect, it } from '@jest/globals';
import type { StatementRunner } from '#libs/persistence';
import { eraseCustomerData } from './erase-customer-data.js';

/** Members without personal data, by the text that has them. */
const kept = {
  initiation: {
    ControlSum: 1.5,
    FileHash: 'h',
    FileReference: 'f',
    FileType: 't',
    InstructedAmount: { Amount: '1.50', Currency: 'GBP' },
    InstructionIdentification: 'i',
    LocalInstrument: 'UK.OBIE.FPS',
    NumberOfTransactions: '1',
    RequestedExecutionDateTime: '2026-07-01T10:00:00Z',
  },
  risk: {
    BeneficiaryAccountType: 'Personal',
    BeneficiaryPaymentDetailsPrepopulatedIndicator: true,
    BeneficiaryPrepopulatedIndicator: true,
    CategoryPurposeCode: 'c',
    ContractPresentIndicator: true,
    ContractPresentInidicator: true,
    MerchantCategoryCode: '5967',
    PaymentContextCode: 'TransferToSelf',
    PaymentPurposeCode: 'p',
  },
  conditions: { Authorisation: { AuthorisationType: 'Any' }, ReadRefundAccount: 'Yes' },
};
const ofPeople = {
  initiation: { DebtorAccount: {}, CreditorAccount: {}, CreditorPostalAddress: {}, RemittanceInformation: {} },
  risk: { DeliveryAddress: {}, MerchantCustomerIdentification: '0535' },
  conditions: { SCASupportData: {} },
};

describe('what is left of a finished consent', () => {
  it('is the members without personal data, and no others', async () => {
    const calls: unknown[][] = [];
    const candidate = {
      consent_id: 'c-1',
      initiation: JSON.stringify({ ...ofPeople.initiation, ...kept.initiation }),
      risk: JSON.stringify({ ...ofPeople.risk, ...kept.risk }),
      conditions: { ...ofPeople.conditions, ...kept.conditions },
    };
    const query = (name: string, _sql: string, parameters: unknown[]): Promise<{ rows: object[] }> => {
      if (name === 'find-customer-data') return Promise.resolve({ rows: [candidate] });
      calls.push(parameters);
      return Promise.resolve({ rows: [{ erased: 1 }] });
    };
    const now = new Date();
    expect(await eraseCustomerData({ query } as unknown as StatementRunner, { consentId: 'c-1', now })).toBe(true);
    const [ids, initiations, at, risks, conditions] = calls[0] as [string[], string[], Date, string[], string[]];
    expect([ids, at]).toEqual([['c-1'], now]);
    const [initiation, risk, condition] = [initiations, risks, conditions].map(
      ([text = '']) => JSON.parse(text) as object,
    );
    expect({ initiation, risk, conditions: condition }).toEqual(kept);
  });
});
