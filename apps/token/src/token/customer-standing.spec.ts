import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { AuditNotes } from '#libs/audit';
import { BankUnavailableError, PsuStates, type PsuState } from '#libs/bank';
import type { Config } from '#libs/config';
import { InvalidGrantError, TemporarilyUnavailableError } from '#libs/oauth';
import type { Telemetry } from '#libs/telemetry';
import type { RefreshGrantStore } from '#libs/token-store';
import { CustomerStanding } from './customer-standing.service.js';

Logger.overrideLogger(false);

/** A bank that answers like this. */
class Bank extends PsuStates {
  constructor(readonly answer: () => PsuState | 'NotOffered') {
    super(undefined as never);
  }

  override async findState(): Promise<PsuState | 'NotOffered'> {
    return this.answer();
  }
}

async function outcomeOf(answer: () => PsuState | 'NotOffered', customerStateCheck: 'hard' | 'soft') {
  const registry = new Registry();
  const notes: string[] = [];
  const ended: string[] = [];
  const standing = new CustomerStanding(
    new Bank(answer),
    { endOfClosedPsu: async ({ psuId }: { psuId: string }) => void ended.push(psuId) } as unknown as RefreshGrantStore,
    { note: ({ action }: { action: string }) => void notes.push(action) } as unknown as AuditNotes,
    { bank: { customerStateCheck } } as unknown as Config,
    { registry } as unknown as Telemetry,
  );
  standing.onModuleInit();
  const approval = { psuId: 'p1', grantHash: Buffer.alloc(32), clientId: 'c1', now: new Date(), interactionId: 'i' };
  const outcome: unknown = await standing
    .assertGood(approval, (reason) => new InvalidGrantError({ reason }))
    .then(() => 'good')
    .catch((error: unknown) => error);
  const [counted] = (await registry.getSingleMetric('open_banking_customer_states_total')?.get())?.values ?? [];
  return { outcome, notes, ended, state: counted?.labels['state'] };
}

const away = (): never => {
  throw new BankUnavailableError('The bank answered 503.');
};

const fault = (): never => {
  throw new TypeError('ours');
};

describe('the standing of a customer whose approval is used', () => {
  it('continues if the bank does not object', async () => {
    expect(await outcomeOf(() => 'Active', 'hard')).toEqual({ outcome: 'good', notes: [], ended: [], state: 'active' });
  });

  it.each<[PsuState, string, string[], string[]]>([
    ['Locked', 'customer-locked', ['psu.locked'], []],
    ['Closed', 'customer-closed', [], ['p1']],
  ])('%s is refused, whether or not an answer is needed', async (state, reason, notes, ended) => {
    for (const check of ['hard', 'soft'] as const) {
      const found = await outcomeOf(() => state, check);
      expect(found).toMatchObject({ outcome: { error: 'invalid_grant', reason }, notes, ended });
    }
  });

  it('continues at a bank without this operation (404), and records it', async () => {
    for (const check of ['hard', 'soft'] as const) {
      expect(await outcomeOf(() => 'NotOffered', check)).toEqual({
        outcome: 'good',
        notes: ['psu.state-unknown'],
        ended: [],
        state: 'notoffered',
      });
    }
  });

  it('without an answer, hard issues nothing, soft continues, and both record it', async () => {
    const hard = await outcomeOf(away, 'hard');
    expect(hard.outcome).toBeInstanceOf(TemporarilyUnavailableError);
    const soft = await outcomeOf(away, 'soft');
    expect(soft.outcome).toBe('good');
    for (const { notes, ended, state } of [hard, soft]) {
      expect([notes, ended, state]).toEqual([['psu.state-unknown'], [], 'unknown']);
    }
  });

  it('an internal error does not count as an answer of the bank', async () => {
    expect((await outcomeOf(fault, 'soft')).outcome).toBeInstanceOf(TypeError);
  });
});
