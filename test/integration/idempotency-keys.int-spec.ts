import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { IdempotencyStore, type IdempotentRequest } from '#libs/idempotency';
import { clientId, database, inSeconds, now, useTokenStore } from './token-store/token-store-world.js';

useTokenStore();

const keys = (): IdempotencyStore => new IdempotencyStore(database, {} as Config);
const requestHash = Buffer.alloc(32, 'body');

/** @returns the resource of a key that was used */
async function use({ clientId: of, operation, idempotencyKey }: IdempotentRequest, expiresAt: Date): Promise<string> {
  const resourceId = randomUUID();
  await database.query(
    'test-use-key',
    `INSERT INTO idempotency_keys (client_id, operation, idempotency_key, request_hash, resource_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [of, operation, idempotencyKey, requestHash, resourceId, expiresAt],
  );
  return resourceId;
}

it('a key belongs to one client and operation until it expires, and is then deleted alone', async () => {
  const first = { clientId, operation: 'POST /a', idempotencyKey: 'key-1', requestHash };
  const others = [{ clientId: randomUUID() }, { operation: 'POST /b' }, { idempotencyKey: 'key-2' }];
  const find = (request: IdempotentRequest) => keys().find(request, now);
  expect(await find(first)).toBeUndefined();
  const resourceId = await use(first, inSeconds(1));
  expect(await find(first)).toEqual({ resourceId, isSameRequest: true });
  expect(await find({ ...first, requestHash: Buffer.alloc(32, 'other') })).toEqual({
    resourceId,
    isSameRequest: false,
  });
  expect(await keys().find(first, inSeconds(1))).toBeUndefined();
  const resources: string[] = [];
  for (const other of others) {
    expect(await find({ ...first, ...other })).toBeUndefined();
    resources.push(await use({ ...first, ...other }, inSeconds(60)));
  }
  expect(await keys().deleteExpired({ now, batchSize: 10 })).toBe(0);
  expect(await keys().deleteExpired({ now: inSeconds(1), batchSize: 10 })).toBe(1);
  expect(await find(first)).toBeUndefined();
  const left = await Promise.all(others.map((other) => find({ ...first, ...other })));
  expect(left.map((record) => record?.resourceId)).toEqual(resources);
});
