import type { NameCheck } from '#libs/bank';
import type { ListedPayment, Standouts } from '#libs/payment-order';
import type { Words } from '../wording/words.js';
import type { PayeeAnswers } from './payee-answers.service.js';

/** Reasons to check a payment, the most serious first. */
export const findingKinds = [
  'OtherName',
  'Large',
  'New',
  'Repeated',
  'SeveralAccounts',
  'SimilarName',
  'RollNumber',
  'Unchecked',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** One finding: about one payment, or several that belong together. */
export interface Finding {
  readonly kind: FindingKind;
  /** from 0; the first one is shown */
  readonly places: readonly number[];
  readonly text: string;
}

/** @returns all findings about the payments of a file, by kind, the most serious first */
export function listFindings(file: {
  payments: readonly ListedPayment[];
  found: Standouts;
  answers: PayeeAnswers;
  words: Words;
}): Finding[] {
  const { payments, found, answers, words } = file;
  const names = answers.names === 'Unavailable' ? [] : (answers.names ?? []);
  const known = answers.known === 'Unavailable' ? [] : (answers.known ?? []);
  const unpaid = known.flatMap((isKnown, place) => (isKnown ? [] : [place]));
  // As everywhere on the page, the larger amount comes first.
  const placesOf = (match: NameCheck['match']) =>
    names.flatMap((check, place) => (check.match === match ? [place] : []));
  const byAmount = (places: readonly number[]) => sortByAmount(places, payments);
  return [
    ...each('OtherName', byAmount(placesOf('NoMatch')), () => words.text('finding.OtherName')),
    ...each('Large', found.largest, () => words.text('finding.Large')),
    ...each('New', byAmount(unpaid), () => words.text('finding.New')),
    ...groups('Repeated', found.repeated, (places) => {
      return words.text('finding.Repeated', { count: places.length, numbers: numbersOf(words, places) });
    }),
    ...groups('SeveralAccounts', found.severalAccounts, (places) => {
      return words.text('finding.SeveralAccounts', { numbers: numbersOf(words, places) });
    }),
    ...each('SimilarName', byAmount(placesOf('CloseMatch')), (place) => {
      return words.text('finding.SimilarName', { name: similarName(names[place]) });
    }),
    ...each('RollNumber', byAmount(found.rollNumbers), (place) => {
      const { secondaryIdentification: rollNumber = '' } = payments[place]?.payeeAccount ?? {};
      return words.text('finding.RollNumber', { rollNumber });
    }),
    ...each('Unchecked', byAmount(placesOf('Unavailable')), () => words.text('finding.Unchecked')),
  ];
}

function sortByAmount(places: readonly number[], payments: readonly ListedPayment[]): number[] {
  const valueOf = (place: number): number => Number(payments[place]?.amount);
  return places.toSorted((one, other) => valueOf(other) - valueOf(one) || one - other);
}

const each = (kind: FindingKind, places: readonly number[], describe: (place: number) => string): Finding[] =>
  places.map((place) => ({ kind, places: [place], text: describe(place) }));

const groups = (
  kind: FindingKind,
  found: readonly (readonly number[])[],
  describe: (places: readonly number[]) => string,
): Finding[] => found.map((places) => ({ kind, places, text: describe(places) }));

const similarName = (check: NameCheck | undefined): string => (check?.match === 'CloseMatch' ? check.name : '');

/** Only the first few; the list shows all. */
function numbersOf(words: Words, places: readonly number[]): string {
  const shown = places.slice(0, 4).map((place) => place + 1);
  const count = places.length - shown.length;
  return count > 0
    ? words.text('finding.numbersAndMore', { numbers: shown.join(', '), count })
    : words.text('finding.numbers', { numbers: words.list(shown) });
}
