import { accountKey, parseDecimalNumber, wordsAsSeen } from '#libs/obie-rules';
import type { InstructionList, ListedPayment } from './instruction-list.js';

/**
 * The payments of a file that a person should look at first, by their indexes in the list (from 0). All are listed; the
 * page decides how many it shows.
 */
export interface Standouts {
  /** far larger than the usual payment of the file; the largest first */
  readonly largest: readonly number[];
  /** each group repeats one payment: same account, amount and reference */
  readonly repeated: readonly (readonly number[])[];
  /** each group is one name with several accounts */
  readonly severalAccounts: readonly (readonly number[])[];
  /** the roll number says who is paid; the account is the building society's */
  readonly rollNumbers: readonly number[];
}

/** A payment of at least this multiple of the usual one is far larger. */
const muchLarger = 5n;
/** Fewer payments than this are easy to read, and have no usual amount. */
const fewestToCompare = 4;

/** @returns what stands out in the file alone, without asking the bank */
export function findStandouts({ payments }: Pick<InstructionList, 'payments'>): Standouts {
  const places = payments.map((_, place) => place);
  return {
    largest: findLargest(payments.map(({ amount }) => parseDecimalNumber(amount) ?? 0n)),
    repeated: [...groupBy(places, (place) => paymentKey(payments[place]!)).values()].filter(isSeveral),
    severalAccounts: [...groupBy(places, (place) => nameKey(payments[place]!)).values()].filter(
      (group) => new Set(group.map((place) => payeeKey(payments[place]!))).size > 1,
    ),
    rollNumbers: places.filter((place) => payments[place]!.payeeAccount.secondaryIdentification !== undefined),
  };
}

/** The usual payment is the median, because a few large ones would move an average. */
function findLargest(amounts: readonly bigint[]): number[] {
  if (amounts.length < fewestToCompare) return [];
  const descending = amounts
    .map((amount, place) => ({ amount, place }))
    .sort((one, other) => compare(other.amount, one.amount) || one.place - other.place);
  const usual = descending[Math.floor(amounts.length / 2)]?.amount ?? 0n;
  return descending.filter(({ amount }) => amount >= usual * muchLarger && amount > usual).map(({ place }) => place);
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);

/** @returns who is paid: the account, with its roll number */
function payeeKey({ payeeAccount }: Pick<ListedPayment, 'payeeAccount'>): string {
  const { scheme, identification, secondaryIdentification = '' } = payeeAccount;
  return JSON.stringify([accountKey({ SchemeName: scheme, Identification: identification }), secondaryIdentification]);
}

function paymentKey(payment: ListedPayment): string {
  return JSON.stringify([payeeKey(payment), String(parseDecimalNumber(payment.amount)), payment.reference ?? '']);
}

/** Names that look the same to a reader are equal, in whatever script and however they are encoded. */
function nameKey({ payeeName }: ListedPayment): string {
  return wordsAsSeen(payeeName).join(' ') || payeeName;
}

function groupBy(places: readonly number[], keyOf: (place: number) => string): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const place of places) {
    const key = keyOf(place);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return groups;
}

const isSeveral = (group: readonly number[]): boolean => group.length > 1;
