import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PayeeAnswersDesk } from './payee-answers.service.js';

const payments = [
  { payeeName: 'Dana', payeeAccount: { scheme: 'UK.OBIE.IBAN', identification: 'GB1' } },
  {
    payeeName: 'Abbey',
    payeeAccount: { scheme: 'UK.OBIE.IBAN', identification: 'GB2', secondaryIdentification: 'R-1' },
  },
] as never;
const fileOf = (number: number) => ({ payments, approvalHash: Buffer.from(String(number)) });
const asking = (number: number, psuId = 'bob') => ({ psuId, file: fileOf(number), call: { interactionId: 'i' } });

/** A desk at a bank that answers so, and what the bank was asked. */
function aDesk(names: unknown = [{ match: 'Match' }], known: unknown = [true]) {
  const asked: [string, Record<string, unknown>][] = [];
  const answer = (kind: string, value: unknown) => (question: Record<string, unknown>) => {
    asked.push([kind, question]);
    return value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  };
  const checks = { checkNames: answer('names', names), findKnown: answer('known', known) };
  return { desk: new PayeeAnswersDesk(checks as never), asked };
}

/** Passes time, for whoever reads the clock anew: the cache keeps its reading for a millisecond. */
async function pass(milliseconds: number): Promise<void> {
  const later = performance.now() + milliseconds;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  await sleep(5);
}

afterEach(() => void jest.restoreAllMocks());
const minutes = 60_000;

describe('what the bank says of the payees', () => {
  it('is asked with the names and the whole accounts, and with the accounts alone', async () => {
    const { desk, asked } = aDesk();
    expect(await desk.find(asking(1))).toEqual({ names: [{ match: 'Match' }], known: [true] });
    const accounts = [
      { schemeName: 'UK.OBIE.IBAN', identification: 'GB1' },
      { schemeName: 'UK.OBIE.IBAN', identification: 'GB2', secondaryIdentification: 'R-1' },
    ];
    const named = [
      { ...accounts[0], name: 'Dana' },
      { ...accounts[1], name: 'Abbey' },
    ];
    expect(asked.map(([kind, { payees }]) => [kind, payees])).toEqual([
      ['names', named],
      ['known', accounts],
    ]);
  });

  it('is asked once for each file and customer, for ten minutes', async () => {
    const { desk, asked } = aDesk();
    for (const one of [asking(1), asking(1), asking(2), asking(1, 'carol')]) await desk.find(one);
    expect(asked).toHaveLength(6);
    await pass(10 * minutes - 1_000);
    await desk.find(asking(1));
    expect(asked).toHaveLength(6);
    await pass(2_000);
    await desk.find(asking(1));
    expect(asked).toHaveLength(8);
  });

  it('is kept for the last 500 files', async () => {
    const { desk, asked } = aDesk();
    for (let file = 0; file < 500; file += 1) await desk.find(asking(file));
    await desk.find(asking(0));
    expect(asked).toHaveLength(1_000);
    // One more takes the place of the one that nobody has asked for longest.
    await desk.find(asking(500));
    await desk.find(asking(1));
    expect(asked).toHaveLength(1_004);
  });

  it('is not asked again for ten minutes where the bank does not offer it', async () => {
    const { desk, asked } = aDesk('NotOffered');
    expect(await desk.find(asking(1))).toEqual({ names: undefined, known: [true] });
    await desk.find(asking(2));
    expect(asked.map(([kind]) => kind)).toEqual(['names', 'known', 'known']);
    await pass(10 * minutes + 1);
    await desk.find(asking(3));
    expect(asked.slice(3).map(([kind]) => kind)).toEqual(['names', 'known']);
  });

  it('is missing on the page after a failure, and asked again half a minute later', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { desk, asked } = aDesk(new Error('away'));
    expect(await desk.find(asking(1))).toEqual({ names: 'Unavailable', known: [true] });
    await pass(29_000);
    await desk.find(asking(1));
    expect([asked.length, warned.mock.calls.length]).toEqual([2, 1]);
    await pass(2_000);
    await desk.find(asking(1));
    expect(asked.map(([kind]) => kind)).toEqual(['names', 'known', 'names']);
  });
});
