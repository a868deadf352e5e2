import { createHash } from 'node:crypto';

// The examples of the API documents belong together: the consent's example has the hash, the number and the sum of the file's.

export const exampleConsentId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const exampleFilePaymentId = '01890a60-11d2-7c41-9a55-6f0d2c1b7e90';
export const exampleTime = '2030-01-31T09:30:00+00:00';
export const examplePaymentIds = ['01890a5eac96774bbcceb302099a8001', '01890a5eac96774bbcceb302099a8002'] as const;

/** Two payments, as they are uploaded: in one line, without spaces. */
export const examplePayments = [
  {
    InstructionIdentification: 'PAYROLL-1',
    EndToEndIdentification: 'SALARY-0001',
    InstructedAmount: { Amount: '1250.00', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '20000110000002',
      Name: 'A Person',
    },
    RemittanceInformation: { Reference: 'JAN-SALARY' },
  },
  {
    InstructionIdentification: 'PAYROLL-2',
    InstructedAmount: { Amount: '980.50', Currency: 'GBP' },
    CreditorAccount: {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '20000110000003',
      Name: 'Another Person',
    },
  },
];

export const exampleFile = { File: { Data: { DomesticPayments: examplePayments } } };
/** Of the example as JSON in one line without spaces. */
export const exampleFileHash = createHash('sha256').update(JSON.stringify(exampleFile)).digest('base64');
export const exampleControlSum = 2230.5;

export const exampleInitiation = {
  FileType: 'UK.OBIE.PaymentInitiation.3.1',
  FileHash: exampleFileHash,
  FileReference: 'PAYROLL-2030-01',
  NumberOfTransactions: '2',
  ControlSum: exampleControlSum,
  LocalInstrument: 'UK.OBIE.FPS',
};
