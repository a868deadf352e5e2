import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

/** A payee, by account, and by roll number if that identifies the payee. */
export interface PayeeAccount extends AccountIdentification {
  readonly secondaryIdentification?: string;
}

export interface NamedPayee extends PayeeAccount {
  readonly name: string;
}

/**
 * The answer of the payee's bank about a name (confirmation of payee). `Unavailable`: it does not take part, or did not
 * answer.
 */
export type NameCheck =
  | { readonly match: 'Match' | 'NoMatch' | 'Unavailable' }
  /** `name` is the account holder's, to be shown to the payer */
  | { readonly match: 'CloseMatch'; readonly name: string };

/**
 * What a bank can tell a payer about payees in advance. Both operations are optional. A request contains the payees of
 * one file, at most 150, and changes nothing at the bank.
 */
export abstract class PayeeChecks {
  /**
   * @returns one answer for each payee, in their order
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  abstract checkNames(query: {
    psuId: string;
    payees: readonly NamedPayee[];
    call: BankCall;
  }): Promise<readonly NameCheck[] | 'NotOffered'>;

  /**
   * @returns for each payee, in their order, whether the PSU has paid them before
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  abstract findKnown(query: {
    psuId: string;
    payees: readonly PayeeAccount[];
    call: BankCall;
  }): Promise<readonly boolean[] | 'NotOffered'>;
}
