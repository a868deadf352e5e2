import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { hashToken } from '#libs/oauth';
import { RefreshGrantStore } from '#libs/token-store';
import { until } from '../../support/expectations.js';
import {
  aClient,
  aCode,
  aRefreshToken,
  aToken,
  auditOfTokens,
  clientId,
  codes,
  database,
  grantEndEvents,
  inSeconds,
  lookup,
  now,
  redeem,
  tokens,
  useTokenStore,
} from './token-store-world.js';

useTokenStore();

// What the deletion of a client ends (RFC 7592, 2.3).
describe('the deletion of a client', () => {
  it('ends its tokens and codes and nobody else’s, once, on the record', async () => {
    const other = await aClient();
    const [codeHash, used] = [await aCode(), await aCode()];
    await redeem(used, 'of-a-grant', undefined, clientId, { refreshToken: aRefreshToken('of-a-grant') });
    await tokens.issueAccessToken(aToken('ends'));
    await tokens.issueAccessToken(aToken('stays', { clientId: other }));

    const end = { clientId, now: inSeconds(1), interactionId: randomUUID() };
    await expect(database.transaction((runner) => tokens.revokeOfClient(runner, end))).resolves.toBe(4);
    await expect(tokens.revokeOfClient(database, { ...end, now: inSeconds(2) })).resolves.toBe(0);

    await expect(lookup.find('ends')).resolves.toBeUndefined();
    await expect(lookup.find('stays')).resolves.toMatchObject({ clientId: other });
    await expect(redeem(codeHash, 'of-the-deleted')).resolves.toBe('CodeUsed');
    await expect(codes.findAuthorizationCode(used)).resolves.toMatchObject({ redeemedAt: now });
    expect(await auditOfTokens()).toEqual(grantEndEvents(end.interactionId));
  });

  it('is done although exchanges of its codes at that moment take them in another order', async () => {
    for (let each = 0; each < 3; each += 1) await aCode();
    await tokens.issueAccessToken(aToken('beside-its-codes'));
    const [first, middle, last] = await codesInOrder();
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT ${locked('$1')}`, [middle]);
      // It has the first, and waits.
      const deletion = deleteImpatiently();
      await untilWaiting(1);
      const exchangeSql = `SELECT ${locked('$1')}, ${locked('$2')}, ${locked('$3')}`;
      const exchange = database.transaction(async (runner) => {
        // However slow the machine is: the deletion is the one that gives way.
        await runner.query('test-patience', `SET LOCAL deadlock_timeout = '1min'`, []);
        await runner.query('test-exchange', exchangeSql, [last, middle, first]);
      });
      await untilWaiting(2);
      await holder.query('COMMIT');
      await expect(Promise.all([deletion, exchange])).resolves.toEqual([undefined, undefined]);
    } finally {
      holder.release(true);
    }
    await expect(lookup.find('beside-its-codes')).resolves.toBeUndefined();
    expect(await codesInOrder()).toEqual([]);
  });

  it('takes codes in the order of their keys, as exchanges do', async () => {
    await aCode();
    await aCode();
    // The last one of the table is the first in the order of the keys.
    const stored = await codesInOrder();
    await database.query('test-last-code', 'UPDATE authorization_codes SET code_hash = $2 WHERE code_hash = $1', [
      stored[1],
      Buffer.alloc(32),
    ]);
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT ${locked('$1')}`, [Buffer.alloc(32)]);
      const deletion = database.transaction((runner) => tokens.revokeOfClient(runner, { clientId, now }));
      await untilWaiting(1);
      await holder.query('SELECT FROM authorization_codes WHERE code_hash = $1 FOR UPDATE NOWAIT', [stored[0]]);
      await holder.query('COMMIT');
      await deletion;
    } finally {
      holder.release(true);
    }
  });

  it('is done although a customer withdraws lasting access at that moment', async () => {
    const grantHash = await aCode();
    await redeem(grantHash, 'of-both', undefined, clientId, { refreshToken: aRefreshToken('of-both') });
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM access_tokens WHERE token_hash = $1 FOR UPDATE', [hashToken('of-both')]);
      const deletion = deleteImpatiently();
      await untilWaiting(1);
      const end = { grantHash, psuId: 'psu-1', now, interactionId: randomUUID() };
      const withdrawal = new RefreshGrantStore(database).endOfPsu(end);
      await untilWaiting(2);
      await holder.query('COMMIT');
      await expect(Promise.all([deletion, withdrawal])).resolves.toEqual([undefined, expect.any(Boolean)]);
    } finally {
      holder.release(true);
    }
    await expect(lookup.find('of-both')).resolves.toBeUndefined();
  });
});

/** In a SELECT: locks a code. They are evaluated in the order in which they stand. */
const locked = (parameter: string): string =>
  `(SELECT true FROM authorization_codes WHERE code_hash = ${parameter}::bytea FOR UPDATE)`;

/** Deletes the client like the service, but notices sooner than others that they wait for each other. */
async function deleteImpatiently(): Promise<void> {
  await database.transaction(async (runner) => {
    await runner.query('test-impatience', `SET LOCAL deadlock_timeout = '100ms'`, []);
    await tokens.revokeOfClient(runner, { clientId, now });
  });
}

/** @returns the client's unused codes in the order in which a statement finds them */
async function codesInOrder(): Promise<Buffer[]> {
  const sql = 'SELECT code_hash FROM authorization_codes WHERE client_id = $1 AND redeemed_at IS NULL';
  const { rows } = await database.query<{ code_hash: Buffer }>('test-codes-in-order', sql, [clientId]);
  return rows.map(({ code_hash }) => code_hash);
}

/** Waits until this many statements wait for the lock of somebody else. */
async function untilWaiting(count: number): Promise<void> {
  const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(async () => (await database.query('test-waiting', sql, [])).rowCount === count);
}
