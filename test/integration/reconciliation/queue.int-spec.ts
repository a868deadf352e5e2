import { describe, expect, it } from '@jest/globals';
import { type Comparison, type DueOrder, PaymentQueue } from '#libs/payment-order';
import {
  aFilePayment,
  clientId,
  clock,
  config,
  database,
  many,
  run,
} from '../payment-processor/payment-processor-world.js';
import { consentOf, queue, stage, useReconciliation } from './reconciliation-world.js';

useReconciliation();

type Known = Readonly<Record<string, unknown>>;
const at = (seconds: number): Date => new Date(clock.time + seconds * 1_000);

/** @returns the same with times for numbers, which are seconds from now; `attempts` is a count */
const inTime = (known: Known): Known =>
  Object.fromEntries(
    Object.entries(known).map(([name, value]) => [
      name,
      typeof value === 'number' && name !== 'attempts' ? at(value) : value,
    ]),
  );

/** What is known of the comparisons of a file payment. */
async function aKnown(known: Known): Promise<string> {
  const consentId = await consentOf(await aFilePayment(many(1)));
  const row = { consent_id: consentId, changed_at: at(-600), ...known };
  await stage('INSERT INTO reconciliations SELECT (jsonb_populate_record(NULL::reconciliations, $1)).*', [
    { attempts: 0, ...row },
  ]);
  return consentId;
}

const knownOf = async (consentId: string) =>
  (await run('SELECT * FROM reconciliations WHERE consent_id = $1', [consentId]))[0];

const others = (consentId: string) =>
  run('SELECT * FROM reconciliations WHERE consent_id <> $1 ORDER BY consent_id', [consentId]);

describe('a change of a file payment', () => {
  it.each<[string, changed: number | undefined, due: number | null, changedThen: number, dueThen: number]>([
    ['comes after a comparison', -10, null, 0, 0],
    ['comes with others', -60, -60, -60, -60],
    ['comes a while after others', -61, -61, 0, -61],
    ['comes before the next look', -10, 90, 0, 0],
    ['was overtaken', 20, 90, 20, 0],
    ['is the first', undefined, null, 0, 0],
  ])('that %s is compared in its time', async (_title, changed, due, changedThen, dueThen) => {
    const id = await aFilePayment(many(1));
    const consentId = await consentOf(id);
    const sql = 'INSERT INTO reconciliations (consent_id, due_at, changed_at) VALUES ($1, $2, $3)';
    if (changed !== undefined) await run(sql, [consentId, due === null ? null : at(due), at(changed)]);
    await aKnown({ due_at: at(90) });
    const untouched = await others(consentId);
    const work = new PaymentQueue(database, config, clock);
    await work.fail({ ...((await takeOf(work, id)) as DueOrder) }, { Status: 's' });
    expect(await knownOf(consentId)).toMatchObject(inTime({ changed_at: changedThen, due_at: dueThen }));
    expect(await others(consentId)).toEqual(untouched);
  });
});

/** Takes what is due until it is this file payment. */
async function takeOf(work: PaymentQueue, id: string): Promise<unknown> {
  for (;;) {
    const due = await work.takeNext();
    if (due === undefined || due.filePaymentId === id) return due;
  }
}

describe('the queue of comparisons', () => {
  it('gives what has rested, the longest waiting first, and not what another worker is taking', async () => {
    const first = await aKnown({ due_at: at(-70) });
    const second = await aKnown({ due_at: at(-60) });
    const third = await aKnown({ due_at: at(-59) });
    const [none, taken] = [await aKnown({ due_at: null }), await aKnown({ due_at: at(-80) })];
    await database.transaction(async (runner) => {
      await runner.query('hold', 'SELECT FROM reconciliations WHERE consent_id = $1 FOR UPDATE', [taken]);
      expect((await queue.take(1)).consentIds).toEqual([first]);
      const { consentIds, leaseEnd } = await queue.take(10);
      expect([consentIds, leaseEnd]).toEqual([[second], at(300)]);
    });
    expect(await knownOf(second)).toMatchObject({ due_at: at(300), attempts: 1 });
    expect(await knownOf(third)).toMatchObject({ due_at: at(-59), attempts: 0 });
    expect(await knownOf(none)).toMatchObject({ due_at: null, attempts: 0 });
  });

  const here = [{ kind: 'Missing' }];
  const aComparison = (consentId: string): Comparison =>
    ({
      own: { consentId, clientId, kind: 'file-payment', consentStatus: 'Consumed', payments: [] },
      differences: here,
      isOpenAtBank: false,
    }) as unknown as Comparison;
  const before = { differences: here, different_since: '2029-01-01T00:00:00Z' };
  const acknowledged_at = '2029-02-01T00:00:00Z';
  const since = new Date(before.different_since);
  const steps = {
    noteDifferent: (consentId: string) => queue.noteDifferent(aComparison(consentId), at(300)),
    noteEqual: (consentId: string) => queue.noteEqual([aComparison(consentId)], at(300)),
    postpone: (consentId: string) => queue.postpone([aComparison(consentId)], at(300)),
  };

  const seen = { ...before, acknowledged_at };
  const again = { ...seen, differences: [{ kind: 'Other' }], attempts: 4 };
  const nothing = { differences: null, different_since: null, acknowledged_at: null };

  it.each<[string, keyof typeof steps, Known, unknown, after: Known]>([
    ['news', 'noteDifferent', { attempts: 1 }, true, { due_at: 300, attempts: 0, different_since: 0 }],
    [
      'the same',
      'noteDifferent',
      { ...before, attempts: 3 },
      false,
      { due_at: 2_400, attempts: 3, different_since: since },
    ],
    ['the same for long', 'noteDifferent', { ...before, attempts: 9 }, false, { due_at: 21_600 }],
    [
      'the same, which a person has seen',
      'noteDifferent',
      seen,
      false,
      { due_at: null, acknowledged_at: new Date(acknowledged_at) },
    ],
    [
      'another than a person has seen',
      'noteDifferent',
      again,
      true,
      { due_at: 300, acknowledged_at: null, attempts: 0, different_since: since },
    ],
    ['none any more', 'noteEqual', { ...seen, attempts: 4 }, 'its id', { ...nothing, due_at: null, attempts: 0 }],
    ['none', 'noteEqual', { attempts: 1 }, [], { due_at: null, attempts: 0, reconciled_at: 0 }],
    ['a book that cannot be read', 'postpone', { attempts: 1 }, undefined, { due_at: 60, attempts: 1 }],
    ['a book that cannot be read again', 'postpone', { attempts: 3 }, undefined, { due_at: 240, attempts: 3 }],
    ['a book that cannot be read for long', 'postpone', { attempts: 99 }, undefined, { due_at: 900 }],
  ])('notes %s, of what its worker still has alone', async (_title, step, known, outcome, after) => {
    const consentId = await aKnown({ ...known, due_at: at(300) });
    await aKnown({ ...known, due_at: at(300) });
    const lost = await aKnown({ ...known, due_at: at(301) });
    const untouched = await others(consentId);
    const noted = await steps[step](consentId);
    expect(noted).toEqual(outcome === 'its id' ? [consentId] : outcome);
    expect(await knownOf(consentId)).toMatchObject(inTime(after));
    await steps[step](lost);
    expect(await others(consentId)).toEqual(untouched);
  });
});
