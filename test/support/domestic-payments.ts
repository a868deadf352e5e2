import type { StagedList } from '#libs/consent';
import { makeInstructionList } from './make-instruction-list.js';

/** What its TPP sends as Data.Initiation: one payment. */
export interface DomesticInitiation {
  readonly InstructionIdentification: string;
  readonly EndToEndIdentification: string;
  readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
  readonly CreditorAccount: { readonly SchemeName: string; readonly Identification: string; readonly Name: string };
}

export const aDomesticPayment = (amount = '10.50'): DomesticInitiation => ({
  InstructionIdentification: 'I-1',
  EndToEndIdentification: 'E-1',
  InstructedAmount: { Amount: amount, Currency: 'GBP' },
  CreditorAccount: {
    SchemeName: 'UK.OBIE.SortCodeAccountNumber',
    Identification: '20000112345678',
    Name: 'Dana Dole',
  },
});

/** @returns the list of the one payment: the rules are those of a file with it alone */
export const listOf = (initiation: DomesticInitiation): StagedList =>
  makeInstructionList({ Data: { DomesticPayments: [initiation] } });
