import { localInstruments } from './local-instrument.js';
import { type Member, type ObjectForm, text } from './object-form.js';

// Members that a payment has in every version: an item of a file, or Data.Initiation of a domestic payment. The members
// of each object are in the order of the API document.

/** A payment of a version. */
export interface PaymentForm extends ObjectForm {
  readonly members: ObjectForm['members'] & {
    readonly EndToEndIdentification: Member;
    readonly InstructedAmount: { readonly of: ObjectForm };
    readonly CreditorAccount: {
      readonly of: ObjectForm & { readonly members: { readonly Name: { readonly longest: number } } };
    };
  };
}

/** Maximum characters of the texts that are the same in every version. */
export const longestOfPayment = {
  InstructionIdentification: 35,
  EndToEndIdentification: 35,
  SchemeName: 40,
  Identification: 256,
  SecondaryIdentification: 34,
} as const;

export const schemeName = {
  ...text(longestOfPayment.SchemeName),
  isRequired: true,
  example: 'UK.OBIE.SortCodeAccountNumber',
} as const;
export const identification = {
  ...text(longestOfPayment.Identification),
  isRequired: true,
  example: '20000110000001',
} as const;
export const identificationOfPayee = { ...identification, example: '20000110000002' } as const;
export const rollNumber = { ...text(longestOfPayment.SecondaryIdentification), example: 'A-123' } as const;
export const nameOf = (longest: number) => ({ ...text(longest), example: 'Octon Ltd' }) as const;
export const nameOfPayee = (longest: number) =>
  ({ ...text(longest), isRequired: true, description: 'Name of the payee.', example: 'A Supplier Ltd' }) as const;

export const instructionIdentification = {
  ...text(longestOfPayment.InstructionIdentification),
  isRequired: true,
  description: 'Your id of the instruction.',
  example: 'PAYROLL-1',
} as const;
export const endToEndIdentification = {
  ...text(longestOfPayment.EndToEndIdentification),
  description: 'Passed on unchanged to the payee.',
  example: 'SALARY-0001',
} as const;
export const localInstrument = {
  a: 'word',
  words: localInstruments,
  rule: `must be one of ${localInstruments.join(', ')}`,
  description: 'The same for all payments of the file and as in the consent.',
} as const;
export const ofWholeFile = { description: 'The same for all payments and as in the consent.' } as const;
export const supplementaryData = { a: 'any object', description: 'Members of your own.', example: {} } as const;
