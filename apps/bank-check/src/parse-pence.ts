/** @returns the amount in pence; whatever is below a penny is cut off */
export function parsePence(amount: string): bigint {
  const [whole = '0', rest = ''] = amount.split('.');
  return BigInt(`${whole}${rest.padEnd(2, '0').slice(0, 2)}`);
}
