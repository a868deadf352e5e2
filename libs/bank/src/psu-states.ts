import type { BankCall } from './psu-authentication.js';

/**
 * Where a customer stands with the bank. `Locked`: nothing is to be done in this customer's name for now. `Closed`: it never will be again. The
 * short pause after wrong passwords is neither.
 */
export type PsuState = 'Active' | 'Locked' | 'Closed';

/** The bank's word on its customers, long after they have signed in. */
export abstract class PsuStates {
  /**
   * @returns 'NotOffered' if the bank has no such operation; that says nothing about the customer
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  abstract findState(query: { psuId: string; call: BankCall }): Promise<PsuState | 'NotOffered'>;
}
