import { initiationOf } from '../../file-payment/example-file.js';

function payment(number: 1 | 2, amount: string, payee: string) {
  return {
    InstructionIdentification: `PAYROLL-${number}`,
    EndToEndIdentification: `SALARY-000${number}`,
    InstructedAmount: { Amount: amount, Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: `2000011000000${number + 1}`,
      Name: payee,
    },
    RemittanceInformation: { Structured: [{ CreditorReferenceInformation: { Reference: 'JAN-SALARY' } }] },
  };
}

const payments = [payment(1, '1250.00', 'A Person'), payment(2, '980.50', 'Another Person')];

/** The source of the examples in the API document of 4.0. */
export const example40 = { payments, initiation: initiationOf('UK.OBIE.PaymentInitiation.4.0', payments) };
