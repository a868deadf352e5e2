import type { Ledger } from './accounting/ledger.js';
import type { Scene } from './faults/fault.js';

const listed = (counts: Iterable<readonly [string, number]>): string =>
  [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

/** @returns what happened, in numbers */
export function summarise(ledger: Ledger, { world, tpps }: Scene, faults: ReadonlyMap<string, number>): string {
  const { acknowledged, stored, book, sightings, news, answers } = ledger;
  const conducts = count(acknowledged.map(({ kind, conduct }) => `${kind} ${conduct}`));
  const states = count(stored.map(({ status }) => status));
  const made = book.filter(({ status }) => status !== 'Rejected').reduce((sum, { pence }) => sum + pence, 0n);
  const repeats = tpps.reduce((sum, tpp) => sum + tpp.repeats, 0);
  return [
    `${acknowledged.length} payments acknowledged (${listed(conducts)}), ${ledger.declined.length} consents declined`,
    `their states: ${listed(states)}; ${answers.length} read to the end, ${sightings.length} on the way`,
    `${book.length} payments at the bank, £${made / 100n}.${String(made % 100n).padStart(2, '0')} made`,
    `${repeats} requests repeated, ${world.gate.handOvers - book.length} hand-overs repeated or refused, ${news.size} events`,
    `faults: ${listed(faults)}`,
    `answers of the bank spoilt: ${listed(world.gate.spoilt)}`,
    `operator: ${listed(world.operator.done)}`,
  ].join('\n');
}

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
