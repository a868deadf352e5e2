import { html, type Html } from '../html.js';

/** What a status means to whoever watches: a word and a colour of the style sheet. */
const kinds: Readonly<Record<string, { word: string; style: string }>> = {
  Pending: { word: 'pending', style: 'pending' },
  AcceptedSettlementInProcess: { word: 'settling', style: 'settling' },
  AcceptedSettlementCompleted: { word: 'settled', style: 'settled' },
  AcceptedCreditSettlementCompleted: { word: 'credited', style: 'settled' },
  AcceptedWithoutPosting: { word: 'accepted without posting', style: 'accepted' },
  Rejected: { word: 'rejected', style: 'rejected' },
};
const other = { word: 'waiting', style: 'waiting' };

/** One square for each payment, and the numbers in words. */
export function paymentCells(statuses: readonly string[]): Html {
  const cells = statuses.map((status) => html`<i class="${(kinds[status] ?? other).style}"></i>`);
  return html`<div class="cells" aria-hidden="true">${cells}</div>
    <p class="counts">${countsInWords(statuses)}</p>`;
}

/** @returns e.g. `148 credited, 2 rejected` */
function countsInWords(statuses: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const status of statuses) {
    const { word } = kinds[status] ?? other;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** @param amount decimal text; shown only, never added up */
export function inPounds(amount: string): string {
  return pounds.format(amount as `${number}`);
}
