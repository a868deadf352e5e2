import type { AccessAccount } from '#libs/access-consent';

/** How many payees of a file the page gave each answer for; nothing about a question that the bank does not answer. */
export interface PayeesShown {
  /** confirmation of payee, by its answer */
  readonly names?: Readonly<Record<string, number>>;
  /** paid before */
  readonly known?: number;
  readonly new?: number;
}

/** The challenge that a session waits for, with what its success decides. Stored with the session, never shown. */
export interface SessionChallenge {
  /** the bank's id */
  readonly challengeId: string;
  readonly method: 'Code' | 'Push' | 'CodeOrPush';
  readonly codeBy?: 'TextMessage' | 'Device';
  /** ISO 8601 */
  readonly expiresAt: string;
  /** of the request that started it; the bank has bound it as well */
  readonly interactionId: string;
  /** what the bank has bound it to */
  readonly bound: Readonly<Record<string, unknown>>;
  /** hash of what was shown, hexadecimal; undefined if no file is decided on */
  readonly approvalHash?: string;
  /** the account that the PSU chose, in the names of OBCashAccount */
  readonly debtorAccount?: {
    readonly SchemeName: string;
    readonly Identification: string;
    readonly Name: string;
    readonly SecondaryIdentification?: string;
  };
  readonly approvalsRequired?: number;
  /** what the page said of the payees, for the audit trail */
  readonly payees?: PayeesShown | undefined;
  /** of access: the accounts that the PSU chose, in the same names */
  readonly accounts?: readonly AccessAccount[];
  /** the bank has accepted the answer, but the decision could not be stored: the next attempt does not ask the bank */
  readonly verified?: { readonly acr: string; readonly authenticatedAt: string };
  /** the bank accepts no answer to it any more; pressing the button again starts a new one */
  readonly isOver?: true;
  /** of further approvers: what they decide on */
  readonly filePaymentId?: string;
}

/** More than anybody needs; the bank sends a message for each. */
export const mostChallenges = 10;

/** A check of a code takes no longer; after it the challenge can be checked again. */
export const longestCheckSeconds = 60;
