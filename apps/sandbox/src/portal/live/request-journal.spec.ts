import fastify from 'fastify';
import { describe, expect, it } from '@jest/globals';
import type { RefusalJournal } from '../../refusals/refusal-journal.js';
import { RequestJournal } from './request-journal.js';

describe('the requests of the live board', () => {
  it('have other numbers after a restart, so that an open board shows them', async () => {
    const numbers: number[] = [];
    for (const startedAt of [1_000, 2_000]) {
      const journal = new RequestJournal({} as RefusalJournal, startedAt);
      const server = fastify();
      journal.watch('api', server);
      server.get('/', async () => 'here');
      for (const _ of [1, 2]) await server.inject('/');
      numbers.push(...journal.newest(10).map((request) => request.number));
      await server.close();
    }
    expect(numbers.length).toBe(4);
    expect(new Set(numbers).size).toBe(4);
  });
});
