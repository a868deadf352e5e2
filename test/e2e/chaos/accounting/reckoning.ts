/** States in which a payment stays (OBTransactionIndividualStatus1Code). */
export const finalPaymentStates: readonly string[] = [
  'AcceptedSettlementCompleted',
  'AcceptedWithoutPosting',
  'AcceptedCreditSettlementCompleted',
  'Rejected',
];

/** @returns the values by their keys */
export function index<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value> {
  return new Map(values.map((value) => [keyOf(value), value]));
}

/** @returns what occurs more than once */
export function repeated(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return values.filter((value) => seen.has(value) || !seen.add(value));
}

/** @param text decimal text with at most two places */
export function penceOf(text: string): bigint {
  const [pounds = '0', pence = ''] = text.split('.');
  return BigInt(pounds) * 100n + BigInt(pence.padEnd(2, '0'));
}
