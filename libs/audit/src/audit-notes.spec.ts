import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Clock } from '#libs/config';
import type { Database, StatementRunner } from '#libs/persistence';
import { AuditNotes } from './audit-notes.service.js';

Logger.overrideLogger(false);

const now = new Date('2030-01-31T10:00:00Z');

/** Notes whose events are kept here instead of in a database, which can be away. */
function aNotebook() {
  const written: { action: string; clientId: string | null; details: { reason: string; count: number } }[] = [];
  const state = { isAway: false };
  const runner = {
    query: async (_name: string, _sql: string, [, , , action, clientId, details]: readonly unknown[]) => {
      written.push({ action, clientId, details: JSON.parse(String(details)) } as (typeof written)[number]);
    },
  } as unknown as StatementRunner;
  const database = {
    applicationName: 'token',
    transaction: async (work: (runner: StatementRunner) => Promise<void>) => {
      if (state.isAway) throw new Error('away');
      await work(runner);
    },
  };
  const clock = { now: () => now } as Clock;
  return { notes: new AuditNotes(database as unknown as Database, clock), written, state };
}

const aNote = (clientId: string, action = 'client.authentication-failed') => ({
  action,
  clientId,
  reason: 'signature',
});

describe('notes of what goes wrong', () => {
  it('become one event for each kind, with their count', async () => {
    const { notes, written } = aNotebook();
    for (const clientId of ['a', 'b', 'a', 'a']) notes.note(aNote(clientId));
    await notes.flush();
    expect(written.map(({ clientId, details }) => [clientId, details.count])).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    await notes.flush();
    expect(written).toHaveLength(2);
  });

  it('are written half a second after the first, however many follow, so that a killed process loses few', async () => {
    jest.useFakeTimers();
    try {
      const { notes, written } = aNotebook();
      for (let at = 0; at < 500; at += 100) {
        notes.note(aNote('a'));
        await jest.advanceTimersByTimeAsync(at === 400 ? 99 : 100);
      }
      expect(written).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(written).toMatchObject([{ clientId: 'a', details: { count: 5 } }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('are written before the process closes its connections', async () => {
    const { notes, written } = aNotebook();
    notes.note(aNote('a'));
    notes.note(aNote('b'));
    await notes.beforeApplicationShutdown();
    expect(written).toHaveLength(2);
  });

  it('are kept while the database is unavailable, up to the maximum', async () => {
    const { notes, written, state } = aNotebook();
    state.isAway = true;
    const rounds = 3;
    for (let round = 0; round < rounds; round += 1) {
      for (let client = 0; client < 900; client += 1) notes.note(aNote(`${round}-${client}`));
      notes.note(aNote('0-0'));
      notes.note(aNote('x', `psu.locked-${round}`));
      await notes.flush();
    }
    state.isAway = false;
    await notes.flush();
    // A thousand kinds, and one more for each action with further kinds.
    expect(written.length).toBeLessThanOrEqual(1_000 + 1 + rounds);
    expect(written.reduce((sum, { details }) => sum + details.count, 0)).toBe(rounds * 902);
    expect(written.find(({ clientId }) => clientId === '0-0')?.details.count).toBe(1 + rounds);
    expect(written.filter(({ details }) => details.reason.startsWith('of more clients'))).not.toHaveLength(0);
  });
});
