import { describe, expect, it } from '@jest/globals';
import { toReportedPayment } from './to-reported-payment.js';

const payment = {
  PaymentId: '01a202b0e3ce777c907b143d6911ab01',
  InstructionIdentification: 'PAYRUN-1',
  EndToEndIdentification: 'E2E-1',
  LocalInstrument: 'UK.OBIE.FPS',
  RequestedExecutionDateTime: '2030-01-31T10:00:00+01:00',
  InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
  DebtorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: 'Octon' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.IBAN',
    Identification: 'GB29NWBK60161331926819',
    Name: 'A Supplier',
    SecondaryIdentification: 'A-1',
  },
  CreditorPostalAddress: { Country: 'GB', AddressLine: [] },
  RemittanceInformation: { Unstructured: 'January', Reference: 'INV-1' },
  SupplementaryData: { any: { thing: null } },
};

describe('a payment of the report file (Read/Write profile: responses carry full names and zones)', () => {
  it('is unchanged if it was uploaded in the form of an answer', () => {
    expect(toReportedPayment(payment)).toEqual(payment);
  });

  it('has the full names of account schemes, and dates with a zone', () => {
    const { DebtorAccount, CreditorAccount } = payment;
    const sent = {
      ...payment,
      RequestedExecutionDateTime: '2030-01-31T10:00:00',
      DebtorAccount: { ...DebtorAccount, SchemeName: 'SortCodeAccountNumber' },
      CreditorAccount: { ...CreditorAccount, SchemeName: 'IBAN' },
    };
    expect(toReportedPayment(sent)).toEqual({ ...payment, RequestedExecutionDateTime: '2030-01-31T10:00:00+00:00' });
  });

  it('has no members unknown to the standard, and no empty objects', () => {
    const { PaymentId, InstructionIdentification, InstructedAmount, CreditorAccount } = payment;
    const known = { PaymentId, InstructionIdentification, InstructedAmount, CreditorAccount };
    const sent = {
      ...known,
      CreditorAccount: { ...CreditorAccount, Bic: null },
      CreditorPostalAddress: { Planet: 'Earth' },
      RemittanceInformation: {},
      Status: 'said by the TPP',
      Purpose: null,
    };
    expect(toReportedPayment(sent)).toEqual(known);
  });
});
