import type { PaymentAccount, PaymentAccounts } from '#libs/bank';
import type { ApprovalSession, SessionKey } from '#libs/customer-session';
import { hashToken } from '#libs/oauth';
import type { PageRequest } from '../psu-session/page-request.js';

/** A browser at the pages for further approvals. */
export interface ApprovalVisit {
  /** value of the cookie, from which the forms' tokens are derived; new if the browser has none */
  readonly value: string;
  readonly session?: ApprovalSession;
  /** the browser has a value, but its session has ended */
  readonly isReturning?: boolean;
}

/** A customer who has signed in with both factors. */
export interface Approver {
  readonly value: string;
  readonly session: ApprovalSession & { readonly acr: string; readonly authenticatedAt: Date };
}

/** @returns what names the visitor's session, and proves that it is theirs */
export function keyOf({ value, session }: { value: string; session: ApprovalSession }): SessionKey {
  return { sessionId: session.sessionId, sessionHash: hashToken(value) };
}

/** @returns undefined while a factor is missing */
export function toApprover({ value, session }: ApprovalVisit): Approver | undefined {
  const { acr, authenticatedAt } = session ?? {};
  if (session === undefined || acr === undefined || authenticatedAt === undefined) return undefined;
  return { value, session: { ...session, acr, authenticatedAt } };
}

/** Only people who may pay from an account see what others pay from it, and decide on it. */
export async function findDecidableAccounts(
  bank: PaymentAccounts,
  { session: { psuId } }: Approver,
  { interactionId }: PageRequest,
): Promise<readonly PaymentAccount[]> {
  const accounts = await bank.findPaymentAccounts({ psuId, call: { interactionId } });
  return accounts.filter(({ unusable }) => unusable !== 'NoPermission');
}
