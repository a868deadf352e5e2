import type { MadeDecision, PaymentAwaitingApproval } from '#libs/payment-order';
import type { PaymentAccount } from '#libs/bank';
import { foreignText, type Html, type Words } from '../wording/words.js';

/** The members of a file payment that say who has decided and who has not. */
export type SharedPayment = Pick<
  PaymentAwaitingApproval,
  'status' | 'approvalsRequired' | 'approvalsReceived' | 'isStopped' | 'isClientActive' | 'debtorAccount' | 'decisions'
>;

/**
 * The reader, with the accounts from which they may pay. Only readers of an account see the names that the bank returns
 * with it.
 */
export interface Reader {
  readonly psuId: string;
  readonly accounts: readonly PaymentAccount[];
}

/** @returns each decision in a sentence, in the order they were made */
export function describeDecisions(words: Words, payment: SharedPayment, reader: Reader): Html[] {
  const names = findNames(payment, reader);
  return payment.decisions.map((decision) => describeDecision(words, decision, { names, reader }));
}

function describeDecision(
  words: Words,
  { psuId, ...decision }: MadeDecision,
  { names, reader }: { names: Names; reader: Reader },
): Html {
  if (psuId === reader.psuId) return describeOwnDecision(words, decision);
  const name = names?.get(psuId);
  return words.html(`decided.other${decision.outcome}`, {
    moment: words.moment(decision.decidedAt),
    // An approver who has decided may have left since.
    name: name === undefined ? words.text('decided.somebodyElse') : foreignText(name),
  });
}

/** @returns what the reader decided, when, and the reason if they gave one */
export function describeOwnDecision(words: Words, decision: Omit<MadeDecision, 'psuId'>): Html {
  const { outcome, decidedAt, reason } = decision;
  const moment = words.moment(decidedAt);
  if (reason === undefined) return words.html(`decided.you${outcome}`, { moment });
  return words.html('decided.youDeclinedWhy', { moment, reason: words.text(`decline.${reason}`) });
}

/** @returns who has not decided yet, by name if the bank names the people, or why nobody has to */
export function describeMissing(words: Words, payment: SharedPayment, reader: Reader): Html {
  const { status, approvalsRequired, approvalsReceived, isStopped, isClientActive, decisions } = payment;
  if (status === 'InitiationFailed') return words.html('decided.failed');
  const count = approvalsRequired - approvalsReceived;
  if (count <= 0) return words.html('decided.complete');
  if (isStopped || !isClientActive) return words.html('decided.closed');
  const left = [...(findNames(payment, reader) ?? [])].filter(
    ([psuId]) => !decisions.some((made) => made.psuId === psuId),
  );
  // The bank named fewer people than the account needs.
  if (left.length < count) return words.html('decided.missing', { count });
  const people = left.map(([psuId, name]) => (psuId === reader.psuId ? words.html('common.you') : foreignText(name)));
  if (people.length === count) return words.html('decided.missingAll', { names: words.listOf(people, 'all') });
  return words.html('decided.missingSome', { count, names: words.listOf(people, 'any') });
}

type Names = ReadonlyMap<string, string> | undefined;

function findNames({ debtorAccount }: SharedPayment, { accounts }: Reader): Names {
  const { schemeName, identification } = debtorAccount;
  const account = accounts.find((one) => one.schemeName === schemeName && one.identification === identification);
  return account?.approvers && new Map(account.approvers.map(({ psuId, displayName }) => [psuId, displayName]));
}
