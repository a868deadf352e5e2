import type { BankCall } from './psu-authentication.js';

/**
 * The status of a customer at the bank. `Locked`: nothing may be done on this customer's behalf for now. `Closed`:
 * never again. The short pause after wrong passwords is neither.
 */
export type PsuState = 'Active' | 'Locked' | 'Closed';

/** The status of customers at the bank, long after they have signed in. */
export abstract class PsuStates {
  /**
   * @returns 'NotOffered' if the bank has no such operation: every customer counts as active
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  abstract findState(query: { psuId: string; call: BankCall }): Promise<PsuState | 'NotOffered'>;
}
