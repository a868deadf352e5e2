import { describe, expect, it } from '@jest/globals';
import type { PaymentAccount } from '#libs/bank';
import type { PaymentsToApprove } from './payments-to-approve.js';
import { selectAccounts } from './select-accounts.js';

const anAccount = (values: Partial<PaymentAccount>): PaymentAccount => ({
  schemeName: 'UK.OBIE.SortCodeAccountNumber',
  identification: '20040512345678',
  name: 'Current account',
  currency: 'GBP',
  availableBalance: '10.00',
  approvalsRequired: 1,
  ...values,
});

const aFile = (values: Partial<PaymentsToApprove>): PaymentsToApprove => ({
  payments: [],
  total: 100_000n,
  currency: 'GBP',
  localInstrument: 'UK.OBIE.FPS',
  charges: [],
  isRefundable: false,
  approvalHash: Buffer.alloc(32),
  ...values,
});

const single = anAccount({});
const joint = anAccount({ identification: '20040587654321', approvalsRequired: 2 });
const euro = anAccount({ identification: '20040511112222', currency: 'EUR' });
const accounts = [single, joint, euro];

describe('selectAccounts', () => {
  it('offers every account in the currency of the payments', () => {
    expect(selectAccounts(accounts, aFile({}))).toEqual({ outcome: 'Selectable', accounts: [single, joint] });
  });

  it('offers only the named account, however its scheme is spelt', () => {
    const requestedAccount = { SchemeName: 'SortCodeAccountNumber', Identification: joint.identification };
    expect(selectAccounts(accounts, aFile({ requestedAccount }))).toEqual({ outcome: 'Selectable', accounts: [joint] });
  });

  it('offers the account that is named by its IBAN', () => {
    const requestedAccount = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB46BARC20040512345678' };
    expect(selectAccounts(accounts, aFile({ requestedAccount }))).toEqual({
      outcome: 'Selectable',
      accounts: [single],
    });
  });

  it.each([
    ['the named account is not among them', { SchemeName: 'UK.OBIE.IBAN', Identification: single.identification }],
    ['the named account has another currency', { SchemeName: euro.schemeName, Identification: euro.identification }],
  ])('finds none if %s', (_case, requestedAccount) => {
    expect(selectAccounts(accounts, aFile({ requestedAccount }))).toEqual({ outcome: 'NoAccount' });
  });

  it('finds none if the PSU has none', () => {
    expect(selectAccounts([], aFile({}))).toEqual({ outcome: 'NoAccount' });
  });

  it('leaves out accounts of several approvers when the TPP asks for Single (OBAuthorisation1)', () => {
    const authorisation = { AuthorisationType: 'Single' } as const;
    expect(selectAccounts(accounts, aFile({ authorisation }))).toEqual({ outcome: 'Selectable', accounts: [single] });
    expect(selectAccounts([joint], aFile({ authorisation }))).toEqual({ outcome: 'SingleNotPossible' });
  });
});
