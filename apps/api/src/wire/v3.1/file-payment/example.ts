import { initiationOf } from '../../file-payment/example-file.js';

const account = (number: string, Name: string) => ({
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: `200001${number}`,
  Name,
});

/** Two payments as uploaded: in one line, without spaces. */
const payments = [
  {
    InstructionIdentification: 'PAYROLL-1',
    EndToEndIdentification: 'SALARY-0001',
    InstructedAmount: { Amount: '1250.00', Currency: 'GBP' },
    CreditorAccount: account('10000002', 'A Person'),
    RemittanceInformation: { Reference: 'JAN-SALARY' },
  },
  {
    InstructionIdentification: 'PAYROLL-2',
    InstructedAmount: { Amount: '980.50', Currency: 'GBP' },
    CreditorAccount: account('10000003', 'Another Person'),
  },
];

/** The examples of the API document match: the consent has the hash, number and sum of the file. */
export const example31 = { payments, initiation: initiationOf('UK.OBIE.PaymentInitiation.3.1', payments) };
