import { type ObjectForm, text } from './object-form.js';
import { amountOfMoney } from './payment-details.js';
import {
  schemeName,
  identification,
  identificationOfPayee,
  rollNumber,
  nameOf,
  nameOfPayee,
  instructionIdentification,
  endToEndIdentification,
  localInstrument,
  ofWholeFile,
  supplementaryData,
} from './payment-item.js';
import { postalAddress6, postalAddress6Single } from './postal-address.js';

/** What a payment of 3.1 is for. */
export const remittanceInformation1 = {
  className: 'OBRemittanceInformation1',
  isClosed: true,
  members: {
    Unstructured: { ...text(140), description: 'Free text.', example: 'Salaries of January' },
    Reference: { ...text(35), description: 'Reference for the payee.', example: 'PAYROLL-01' },
  },
} as const satisfies ObjectForm;

const amount31 = { a: 'object', of: { ...amountOfMoney, className: 'OBInstructedAmount' }, isRequired: true } as const;
const remittance31 = { a: 'object', of: remittanceInformation1 } as const;

/** An item of a 3.1 file (3.1.2, whose names of accounts are shorter). */
export const paymentItem31 = {
  className: 'OBDomesticPaymentItem',
  members: {
    InstructionIdentification: instructionIdentification,
    EndToEndIdentification: endToEndIdentification,
    LocalInstrument: localInstrument,
    RequestedExecutionDateTime: {
      a: 'moment',
      description: 'Day of execution, the same for all payments and as in the consent.',
      example: '2035-01-31T00:00:00+00:00',
    },
    InstructedAmount: amount31,
    DebtorAccount: {
      a: 'object',
      of: {
        className: 'OBFileDebtorAccount',
        members: {
          SchemeName: schemeName,
          Identification: identification,
          Name: nameOf(70),
          SecondaryIdentification: rollNumber,
        },
      },
      ...ofWholeFile,
    },
    CreditorAccount: {
      a: 'object',
      of: {
        className: 'OBFileCreditorAccount',
        members: {
          SchemeName: schemeName,
          Identification: identificationOfPayee,
          Name: nameOfPayee(70),
          SecondaryIdentification: rollNumber,
        },
      },
      isRequired: true,
    },
    CreditorPostalAddress: { a: 'address', of: postalAddress6 },
    RemittanceInformation: remittance31,
    SupplementaryData: supplementaryData,
  },
} as const satisfies ObjectForm;

/** A domestic payment of 3.1 alone (3.1.11). It has no day: it is made at once. */
export const domesticPayment31 = {
  className: 'OBDomestic2',
  isClosed: true,
  members: {
    InstructionIdentification: instructionIdentification,
    LocalInstrument: localInstrument,
    InstructedAmount: amount31,
    RemittanceInformation: remittance31,
    SupplementaryData: supplementaryData,
    EndToEndIdentification: { ...endToEndIdentification, isRequired: true, example: 'INV-17' },
    DebtorAccount: {
      a: 'object',
      of: {
        className: 'OBCashAccountDebtor4',
        isClosed: true,
        members: {
          SchemeName: schemeName,
          Identification: identification,
          SecondaryIdentification: rollNumber,
          Name: nameOf(350),
        },
      },
      description: 'If absent, the customer chooses an account.',
    },
    CreditorAccount: {
      a: 'object',
      of: {
        className: 'OBCashAccountCreditor3',
        isClosed: true,
        members: {
          SchemeName: schemeName,
          Identification: identificationOfPayee,
          SecondaryIdentification: rollNumber,
          Name: nameOfPayee(350),
        },
      },
      isRequired: true,
    },
    CreditorPostalAddress: { a: 'address', of: postalAddress6Single },
  },
} as const satisfies ObjectForm;
