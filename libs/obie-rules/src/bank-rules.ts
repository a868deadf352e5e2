import { limitsOfSchemes, type PaymentLimits } from './scheme-limits.js';

/** What a bank decides about payments. Its settings have these names. */
export interface BankRules {
  /** of a file */
  readonly mostPayments: number;
  /** whether a payment may go to a wallet */
  readonly areWalletsPaid: boolean;
  readonly limits: PaymentLimits;
}

/** Most payments in one file (the published limit of this service). */
export const mostPayments = 150;

/** The rules of a bank that sets no others. */
export const usualRules: BankRules = { mostPayments, areWalletsPaid: false, limits: limitsOfSchemes };

/** Applies the rules of no bank: for requests that were accepted before. */
export const anyBank: BankRules = { mostPayments: Number.MAX_SAFE_INTEGER, areWalletsPaid: true, limits: {} };
