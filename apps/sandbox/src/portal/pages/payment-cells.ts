import { html, type Html } from '#libs/http-server';

const pending = { word: 'pending', style: 'pending' };
const settling = { word: 'settling', style: 'settling' };
const settled = { word: 'settled', style: 'settled' };
const credited = { word: 'credited', style: 'settled' };
const accepted = { word: 'accepted without posting', style: 'accepted' };
const rejected = { word: 'rejected', style: 'rejected' };

/** What the page shows for a status of 3.1 or 4.0: a word, and a class of the style sheet. */
const kinds: Readonly<Record<string, { word: string; style: string }>> = {
  Pending: pending,
  PDNG: pending,
  AcceptedSettlementInProcess: settling,
  ACSP: settling,
  AcceptedSettlementCompleted: settled,
  ACSC: settled,
  AcceptedCreditSettlementCompleted: credited,
  ACCC: credited,
  AcceptedWithoutPosting: accepted,
  ACWP: accepted,
  Rejected: rejected,
  RJCT: rejected,
};
const other = { word: 'waiting', style: 'waiting' };

/** @returns the status in a word */
export const wordFor = (status: string): string => (kinds[status] ?? other).word;

/** Whether the payee has the money. */
export const isPaid = (status: string): boolean => (kinds[status] ?? other).style === 'settled';

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
    const word = wordFor(status);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
