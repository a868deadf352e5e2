import type { Clock } from '#libs/config';
import type { StatementRunner } from '#libs/persistence';
import type { BankBook, BankBookAnswer, OwnBook } from './books.js';
import { areSame, commonTo, type Difference, isOfBank } from './difference.js';
import { findDifferences, isOpenAtBank } from './find-differences.js';
import { readOwnBooks } from './read-own-books.js';

/** Maximum simultaneous requests to the bank. */
const groupSize = 5;

/** The outcome of comparing one file payment, or a Consumed consent without one. */
export interface Comparison {
  readonly own: OwnBook;
  /** whether the bank's book was compared, or why not; NotAsked: there is no file payment */
  readonly bank: 'Compared' | 'NotAsked' | Extract<BankBookAnswer, string>;
  readonly differences: readonly Difference[];
  /** a payment has ended here, but not in the bank's book: it may end differently there */
  readonly isOpenAtBank: boolean;
  /** a person has acknowledged exactly these */
  readonly isAcknowledged: boolean;
}

/** The two books. */
export interface BookSources {
  readonly runner: StatementRunner;
  readonly askBank: (filePaymentId: string) => Promise<BankBookAnswer>;
  readonly clock: Clock;
}

/**
 * Compares file payments. A difference counts only if it is found twice, because payments may be handed over between
 * reading the two books. If the bank's book cannot be read, its earlier differences still count.
 * @param consentIds unknown ones are ignored
 */
export async function compareBooks(consentIds: readonly string[], sources: BookSources): Promise<Comparison[]> {
  const books = await readOwnBooks(sources, consentIds);
  const comparisons: Comparison[] = [];
  for (let start = 0; start < books.length; start += groupSize) {
    const group = books.slice(start, start + groupSize);
    comparisons.push(...(await Promise.all(group.map((own) => compareTwice(own, sources)))));
  }
  return comparisons;
}

async function compareTwice(own: OwnBook, sources: BookSources): Promise<Comparison> {
  const first = await compare(own, sources);
  if (first.differences.length === 0 || areSame(first.differences, own.known.differences)) return first;
  const [again] = await readOwnBooks(sources, [own.consentId]);
  if (again === undefined) return first;
  const second = await compare(again, sources);
  return withDifferences(second, commonTo(second.differences, first.differences));
}

async function compare(own: OwnBook, { askBank }: BookSources): Promise<Comparison> {
  const answer = own.filePayment === undefined ? 'NotAsked' : await askBank(own.filePayment.filePaymentId);
  const bank: BankBook | undefined = typeof answer === 'string' ? undefined : answer;
  const differences = findDifferences({ own, bank });
  if (bank === undefined && answer !== 'NotAsked') differences.push(...own.known.differences.filter(isOfBank));
  const isOpen = bank !== undefined && isOpenAtBank(own, bank);
  return withDifferences(
    { own, bank: typeof answer === 'string' ? answer : 'Compared', isOpenAtBank: isOpen },
    differences,
  );
}

function withDifferences(
  compared: Pick<Comparison, 'own' | 'bank' | 'isOpenAtBank'>,
  differences: readonly Difference[],
): Comparison {
  const { own } = compared;
  const isAcknowledged = own.known.isAcknowledged && areSame(differences, own.known.differences);
  return { ...compared, differences, isAcknowledged };
}
