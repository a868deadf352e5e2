import type { MadeDecision, PaymentAwaitingApproval } from '#libs/authorization-session';
import type { PaymentAccount } from '#libs/bank';
import { foreignText, type Html, type Words } from '../wording/words.js';

/** A file payment as far as it says who has decided and who has not. */
export type SharedPayment = Pick<
  PaymentAwaitingApproval,
  'status' | 'approvalsRequired' | 'approvalsReceived' | 'isStopped' | 'isClientActive' | 'debtorAccount' | 'decisions'
>;

/** Who reads it. The accounts are those that they may pay from: what the bank says with each of them, names included, is for them. */
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
    // Somebody may have decided who has left since.
    name: name === undefined ? words.text('decided.somebodyElse') : foreignText(name),
  });
}

/** @returns what the reader decided, when, and why if they said so */
export function describeOwnDecision(words: Words, decision: Omit<MadeDecision, 'psuId'>): Html {
  const { outcome, decidedAt, reason } = decision;
  const moment = words.moment(decidedAt);
  if (reason === undefined) return words.html(`decided.you${outcome}`, { moment });
  return words.html('decided.youDeclinedWhy', { moment, reason: words.text(`decline.${reason}`) });
}

/** @returns who has still to decide, by name where the bank names the people, or why nobody has */
export function describeMissing(words: Words, payment: SharedPayment, reader: Reader): Html {
  const { status, approvalsRequired, approvalsReceived, isStopped, isClientActive, decisions } = payment;
  if (status === 'InitiationFailed') return words.html('decided.failed');
  const count = approvalsRequired - approvalsReceived;
  if (count <= 0) return words.html('decided.complete');
  if (isStopped || !isClientActive) return words.html('decided.closed');
  const left = [...(findNames(payment, reader) ?? [])].filter(
    ([psuId]) => !decisions.some((made) => made.psuId === psuId),
  );
  // Fewer than it takes: the bank would name nobody who is enough.
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
