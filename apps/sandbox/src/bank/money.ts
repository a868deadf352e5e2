/**
 * @param text decimal text as the bank's API has it, in GBP
 * @returns pence; `undefined` if there is a fraction of a penny
 */
export function parsePence(text: string): bigint | undefined {
  const match = /^(\d{1,16})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) return undefined;
  const [, pounds = '', pence = ''] = match;
  return BigInt(pounds) * 100n + BigInt(pence.padEnd(2, '0'));
}

/** @returns decimal text with two decimals */
export function formatPence(pence: bigint): string {
  const digits = String(pence < 0n ? -pence : pence).padStart(3, '0');
  return `${pence < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
