const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** @param amount decimal text; shown as the bank writes it on its pages, never added up */
export function inPounds(amount: string): string {
  return pounds.format(amount as `${number}`);
}
