import { describe, expect, it } from '@jest/globals';
import { parseJson, usualRules } from '#libs/obie-rules';
import { domesticPaymentWire31 } from '../v3.1/domestic-payment/domestic-payment-wire.js';
import { domesticPaymentWire40 } from '../v4.0/domestic-payment/domestic-payment-wire.js';

const now = new Date('2030-01-15T12:00:00Z');
const bank = { ...usualRules, limits: { 'UK.OBIE.FPS': 100_000_000_000n } };
const wires = [domesticPaymentWire31, domesticPaymentWire40];
const payee = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000110000002',
  Name: 'A Supplier Ltd',
};
const initiation = {
  InstructionIdentification: 'I-1',
  EndToEndIdentification: 'E-1',
  InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
  CreditorAccount: payee,
};
const amount = (Amount: string, Currency = 'GBP') => ({ InstructedAmount: { Amount, Currency } });
const account = (members: object) => ({ CreditorAccount: { ...payee, ...members } });

/** @returns the faults of a consent request, each as `code path` */
function faultsOf(wire: (typeof wires)[number], members: object, data: object = {}, Risk: object = {}): string[] {
  const body = JSON.stringify({ Data: { Initiation: { ...initiation, ...members }, ...data }, Risk });
  const read = wire.read.consent(parseJson(Buffer.from(body)) as Record<string, unknown>, now, bank);
  return 'faults' in read ? read.faults.map(({ code, path }) => `${code} ${path}`) : [];
}

describe.each(wires.map((wire) => ({ version: wire.version, wire })))('Data.Initiation of $version', ({ wire }) => {
  it.each<[string, object, string[]]>([
    ['DP-011 everything required', {}, []],
    [
      'DP-011, DP-060 no EndToEndIdentification',
      { EndToEndIdentification: undefined },
      ['Field.Missing EndToEndIdentification'],
    ],
    ['DP-011, DP-060 no payee', { CreditorAccount: undefined }, ['Field.Missing CreditorAccount']],
    ['DP-011, DP-060 no name', account({ Name: undefined }), ['Field.Missing CreditorAccount.Name']],
    ['DP-011 a name of 350', account({ Name: 'N'.repeat(350) }), []],
    ['DP-011, DP-061 a name of 351', account({ Name: 'N'.repeat(351) }), ['Field.Invalid CreditorAccount.Name']],
    ['DP-012 seven lines', { CreditorPostalAddress: { AddressLine: Array.from({ length: 7 }, () => 'L') } }, []],
    [
      'DP-012 eight lines',
      { CreditorPostalAddress: { AddressLine: Array.from({ length: 8 }, () => 'L') } },
      ['Field.Invalid CreditorPostalAddress.AddressLine'],
    ],
    ['DP-012 own members', { SupplementaryData: { x: { y: 1 } } }, []],
    [
      'DP-014 a day',
      { RequestedExecutionDateTime: '2030-01-31T00:00:00Z' },
      ['Field.Unexpected RequestedExecutionDateTime'],
    ],
    ['DP-014 a PaymentId', { PaymentId: 'P' }, ['Field.Unexpected PaymentId']],
    ['DP-014, DP-097 an account', account({ x: 1 }), ['Field.Unexpected CreditorAccount.x']],
    ['DP-014 an address', { CreditorPostalAddress: { x: 1 } }, ['Field.Unexpected CreditorPostalAddress.x']],
    ['DP-061 nothing', amount('0.00'), ['Field.Invalid InstructedAmount.Amount']],
    ['DP-048, DP-061 beyond the limit', amount('1000000.01'), ['Field.Invalid InstructedAmount.Amount']],
    ['DP-063 another currency', amount('1.00', 'EUR'), ['Unsupported.Currency InstructedAmount.Currency']],
    ['DP-064 a scheme', account({ SchemeName: 'UK.X.Y' }), ['Unsupported.Scheme CreditorAccount.SchemeName']],
    [
      'DP-064 a number',
      account({ Identification: '1' }),
      ['Unsupported.AccountIdentifier CreditorAccount.Identification'],
    ],
    [
      'DP-064 a roll number of a card',
      {
        LocalInstrument: 'UK.OBIE.BalanceTransfer',
        ...account({ SchemeName: 'UK.OBIE.PAN', Identification: '5555555555554444', SecondaryIdentification: 'R' }),
      },
      ['Unsupported.AccountSecondaryIdentifier CreditorAccount.SecondaryIdentification'],
    ],
    ['DP-047 a type', { LocalInstrument: 'UK.OBIE.X' }, ['Unsupported.LocalInstrument LocalInstrument']],
    ['DP-047 CHAPS', { LocalInstrument: 'UK.OBIE.CHAPS' }, []],
  ])('%s', (_what, members, faults) => {
    expect(faultsOf(wire, members)).toEqual(faults.map((fault) => fault.replace(' ', ' Data.Initiation.')));
  });

  it.each<[string, object, object, string[]]>([
    ['DP-014 an unknown member of Data', { x: 1 }, {}, ['Field.Unexpected Data.x']],
    ['DP-014 of Risk', {}, { x: 1 }, ['Field.Unexpected Risk.x']],
    ['DP-015 ReadRefundAccount', { ReadRefundAccount: 'Maybe' }, {}, ['Field.Invalid Data.ReadRefundAccount']],
    [
      'DP-015 a long ReferencePaymentOrderId',
      { SCASupportData: { ReferencePaymentOrderId: 'x'.repeat(41) } },
      {},
      ['Field.Invalid Data.SCASupportData.ReferencePaymentOrderId'],
    ],
    [
      'DP-062 a bad date',
      { Authorisation: { AuthorisationType: 'Any', CompletionDateTime: 'soon' } },
      {},
      ['Field.InvalidDate Data.Authorisation.CompletionDateTime'],
    ],
    ['DP-016 a short category', {}, { MerchantCategoryCode: '59' }, ['Field.Invalid Risk.MerchantCategoryCode']],
    [
      'DP-016 a long customer',
      {},
      { MerchantCustomerIdentification: 'x'.repeat(71) },
      ['Field.Invalid Risk.MerchantCustomerIdentification'],
    ],
    [
      'DP-016 an indicator',
      {},
      { BeneficiaryPrepopulatedIndicator: 'yes' },
      ['Field.Invalid Risk.BeneficiaryPrepopulatedIndicator'],
    ],
    ['DP-016 an account type', {}, { BeneficiaryAccountType: 'ISA' }, []],
  ])('%s', (_what, data, risk, faults) => {
    expect(faultsOf(wire, {}, data, risk)).toEqual(faults);
  });
});

describe('what only one version has', () => {
  it.each<[string, object, string[], string[]]>([
    [
      'DP-016, DP-018 an older context',
      { PaymentContextCode: 'PispPayee' },
      [],
      ['Field.Invalid Risk.PaymentContextCode'],
    ],
    [
      'DP-017, DP-018 a spelling',
      { ContractPresentInidicator: true },
      [],
      ['Field.Unexpected Risk.ContractPresentInidicator'],
    ],
    [
      'DP-017, DP-018 a name',
      { BeneficiaryPaymentDetailsPrepopulatedIndicator: true },
      [],
      ['Field.Unexpected Risk.BeneficiaryPaymentDetailsPrepopulatedIndicator'],
    ],
    ['DP-017 the other spelling', { ContractPresentIndicator: true }, [], []],
    ['DP-018 a category', { CategoryPurposeCode: 'SUPP' }, ['Field.Unexpected Risk.CategoryPurposeCode'], []],
    ['DP-018 a purpose', { PaymentPurposeCode: 'ABCD' }, [], ['Field.Invalid Risk.PaymentPurposeCode']],
    [
      'DP-016, DP-018 an empty address',
      { DeliveryAddress: {} },
      ['Field.Missing Risk.DeliveryAddress.TownName', 'Field.Missing Risk.DeliveryAddress.Country'],
      [],
    ],
  ])('%s', (_what, risk, of31, of40) => {
    expect([faultsOf(domesticPaymentWire31, {}, {}, risk), faultsOf(domesticPaymentWire40, {}, {}, risk)]).toEqual([
      of31,
      of40,
    ]);
  });

  it('DP-013, DP-012 agents and proxies are those of 4.0, Reference is that of 3.1', () => {
    const CreditorAgent = { SchemeName: 'UK.OBIE.BICFI', Identification: 'NWBKGB2L' };
    expect(faultsOf(domesticPaymentWire40, { CreditorAgent })).toEqual([]);
    expect(faultsOf(domesticPaymentWire31, { CreditorAgent })).toEqual([
      'Field.Unexpected Data.Initiation.CreditorAgent',
    ]);
    expect(faultsOf(domesticPaymentWire31, { RemittanceInformation: { Reference: 'R' } })).toEqual([]);
  });
});

describe('a payment request', () => {
  it.each(wires)('DP-019 names the consent, Initiation and Risk: $version', (wire) => {
    const read = wire.read.payment({ Data: { Initiation: initiation } }, now);
    expect('faults' in read && read.faults.map(({ path }) => path)).toEqual(['Data.ConsentId', 'Risk']);
  });
});
