import type { ListedPayment, Standouts } from '#libs/payment-order';
import type { ShownStandout } from '../pages/page-models.js';
import type { Words } from '../wording/words.js';
import { findingKinds, listFindings, type Finding, type FindingKind } from './list-findings.js';
import type { PayeeAnswers } from './payee-answers.service.js';

/** Standouts in words: at the top of the page, and beside each payment of the list. */
export interface DescribedStandouts {
  readonly standouts: readonly ShownStandout[];
  /** how many payments are marked in the list alone */
  readonly furtherMarked: number;
  /** findings about the whole file */
  readonly facts: readonly string[];
  /** the bank has not answered, and may later */
  readonly isCheckOpen: boolean;
  /** by place */
  readonly marks: ReadonlyMap<number, readonly string[]>;
}

/** More would push the payments out of sight. */
const mostShown = 6;
/** This many of one kind count as standouts even in a small file. */
const fewestCommon = 5;

/**
 * @returns the standouts of a file; each kind has at least one place at the top, so that many of one kind do not hide
 * another
 */
export function describeStandouts(file: {
  payments: readonly ListedPayment[];
  currency: string;
  found: Standouts;
  answers: PayeeAnswers;
  words: Words;
}): DescribedStandouts {
  const { payments, answers, words } = file;
  const findings = listFindings(file);
  const { rare, common } = separate(findings, payments.length);
  const chosen = chooseItems(mergeByPayment(rare));
  const shown = new Set(chosen.flatMap(({ places }) => places));
  const amountOf = ({ places: [place = 0] }: Item): number => Number(payments[place]?.amount);
  const marked = new Set(rare.flatMap(({ places }) => places));
  return {
    standouts: chosen
      .toSorted((one, other) => amountOf(other) - amountOf(one))
      .map((item) => toStandout(item, payments, { currency: file.currency, words })),
    furtherMarked: [...marked].filter((place) => !shown.has(place)).length,
    facts: [...describeCommon(common, payments.length, words), ...describeAnswers(answers, payments.length, words)],
    isCheckOpen: answers.names === 'Unavailable' || answers.known === 'Unavailable',
    marks: marksOf(findings, payments.length),
  };
}

/** A group of all payments tells none of them from the others: only the top of the page shows it. */
function marksOf(findings: readonly Finding[], total: number): Map<number, readonly string[]> {
  const marks = new Map<number, readonly string[]>();
  for (const { places, text } of findings) {
    if (places.length > 1 && places.length === total) continue;
    for (const place of places) marks.set(place, [...(marks.get(place) ?? []), text]);
  }
  return marks;
}

/**
 * A finding about most payments of a file is not a standout and is shown once. A name that does not match always is.
 */
function separate(findings: readonly Finding[], total: number): { rare: Finding[]; common: Map<FindingKind, number> } {
  const counts = new Map(findingKinds.map((kind) => [kind, findings.filter((each) => each.kind === kind).length]));
  const isCommon = (kind: FindingKind): boolean =>
    kind !== 'OtherName' && (counts.get(kind) ?? 0) > Math.max(fewestCommon, total / 2);
  return {
    rare: findings.filter(({ kind }) => !isCommon(kind)),
    common: new Map([...counts].filter(([kind]) => isCommon(kind))),
  };
}

interface Item {
  readonly kinds: readonly FindingKind[];
  readonly places: readonly number[];
  readonly texts: readonly string[];
}

/**
 * Shows each payment once with all its findings, the most serious first. A finding about a group is shown at the first
 * payment of the group.
 */
function mergeByPayment(findings: readonly Finding[]): Item[] {
  const groups = findings.filter(({ places }) => places.length > 1);
  const items = new Map<number, { kinds: FindingKind[]; places: readonly number[]; texts: string[] }>();
  for (const finding of findings) {
    const first = findFirst(finding, groups, findings);
    const item = items.get(first) ?? { kinds: [], places: [], texts: [] };
    if (!item.kinds.includes(finding.kind)) item.kinds.push(finding.kind);
    if (!item.texts.includes(finding.text)) item.texts.push(finding.text);
    item.places = [...new Set([first, ...item.places, ...finding.places])];
    items.set(first, item);
  }
  return [...items.values()];
}

/** @returns the payment at which a finding is shown */
function findFirst(finding: Finding, groups: readonly Finding[], findings: readonly Finding[]): number {
  const { kind, text, places } = finding;
  const [own = 0] = places;
  const [first] = groups.find((group) => group !== finding && group.places.includes(own))?.places ?? [];
  if (first === undefined) return own;
  const isSaidOfFirst = findings.some(
    (other) => other.kind === kind && other.text === text && other.places[0] === first,
  );
  return isSaidOfFirst ? first : own;
}

/** The first of each kind, then the others, in order. */
function chooseItems(items: readonly Item[]): Item[] {
  const firsts = findingKinds.map((kind) => items.find((item) => item.kinds.includes(kind)));
  const inTurn = new Set([...firsts.filter((item) => item !== undefined), ...items]);
  const chosen = new Set([...inTurn].slice(0, mostShown));
  return items.filter((item) => chosen.has(item));
}

function toStandout(
  item: Item,
  payments: readonly ListedPayment[],
  { currency, words }: { currency: string; words: Words },
): ShownStandout {
  const [place = 0] = item.places;
  const { amount = '0', payeeName = '' } = payments[place] ?? {};
  return { position: place + 1, amount: words.money(amount, currency), payeeName, texts: item.texts };
}

function describeCommon(common: ReadonlyMap<FindingKind, number>, total: number, words: Words): string[] {
  return [...common].map(([kind, count]) => {
    const what = words.text(`finding.common.${kind}`);
    return count === total
      ? words.text('finding.all', { total, what })
      : words.text('finding.some', { count, total, what });
  });
}

function describeAnswers({ names, known }: PayeeAnswers, count: number, words: Words): string[] {
  const unknown = known === 'Unavailable' ? [words.text('known.unavailable', { count })] : [];
  return [...describeNames(names, count, words), ...unknown];
}

function describeNames(names: PayeeAnswers['names'], total: number, words: Words): string[] {
  if (names === undefined) return [];
  if (names === 'Unavailable') return [words.text('names.unavailable', { count: total })];
  // Whatever else the bank says of a single payee is a finding.
  if (total === 1) return names[0]?.match === 'Match' ? [words.text('names.matches')] : [];
  const counts = (['Match', 'CloseMatch', 'NoMatch', 'Unavailable'] as const)
    .map((match) => ({ match, count: names.filter((check) => check.match === match).length }))
    .filter(({ count }) => count > 0)
    .map(({ match, count }) => words.text(`names.${match}`, { count }));
  return [words.text('names.checked', { counts: counts.join(', ') })];
}
