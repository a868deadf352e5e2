const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** @returns decimal text as the bank's pages show it */
export function inPounds(amount: string): string {
  return pounds.format(amount as `${number}`);
}
