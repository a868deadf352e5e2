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

/** Where no bank has other rules. */
export const usualRules: BankRules = { mostPayments, areWalletsPaid: false, limits: limitsOfSchemes };

/** Refuses nothing that only one bank refuses: for what was accepted before. */
export const anyBank: BankRules = { mostPayments: Number.MAX_SAFE_INTEGER, areWalletsPaid: true, limits: {} };
