import type { AccountIdentification } from './payment-accounts.js';
import type { BankCall } from './psu-authentication.js';

/** The question to the bank: one amount in one account of a customer who has agreed to it. */
export interface FundsCheck {
  readonly consentId: string;
  readonly psuId: string;
  /** as the bank itself names it */
  readonly account: AccountIdentification;
  /** decimal text */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  readonly call: BankCall;
}

/** Whether an amount is available. */
export abstract class FundsChecks {
  /**
   * Nothing is reserved, and nothing changes at the bank.
   * @returns false also for an account that is blocked or closed, or no longer the customer's
   * @throws BankUnavailableError, BankRefusedError, BankAnswerError
   */
  abstract isAvailable(check: FundsCheck): Promise<boolean>;
}
