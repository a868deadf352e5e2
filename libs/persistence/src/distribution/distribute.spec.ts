import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { distribute } from './distribute.js';

/** A coordinator with one node, on which nothing is laid out. */
async function laidOut(): Promise<string[]> {
  const tables: string[] = [];
  const query = async (sql: string, [table]: readonly string[] = []): Promise<object> => {
    const [, name] = /SELECT create_(?:distributed|reference)_table\((?:'(\w+)'|\$1)/.exec(sql) ?? [];
    if (sql.includes('SELECT create_')) tables.push(name ?? table ?? '');
    return { rows: [], rowCount: 1 };
  };
  await distribute({ connect: async () => ({ query, release: () => undefined }) } as unknown as Pool);
  return tables;
}

/** As deploy/database/README.md says. */
const onCoordinator = [
  'access_consent_ends',
  'approval_sessions',
  'audit_seals',
  'decline_notices',
  'operator_requests',
  'works',
];

it('every table is laid out by client or by signer, or as a copy on each node, but for those of the coordinator', async () => {
  const sql = readFileSync(join(import.meta.dirname, '../migrations/tables.sql'), 'utf8');
  const all = [...sql.matchAll(/^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gm)].map(([, name]) => name);
  expect([...(await laidOut()), ...onCoordinator].toSorted()).toEqual(all.toSorted());
});

it('nothing is laid out, and the connection is free again, if one table cannot be', async () => {
  const steps: string[] = [];
  const query = async (sql: string): Promise<object> => {
    if (sql.includes('SELECT create_')) throw new Error('no space');
    await new Promise(setImmediate);
    if (/^[A-Z]+$/.test(sql)) steps.push(sql);
    return { rows: [], rowCount: 1 };
  };
  const pool = { connect: async () => ({ query, release: () => steps.push('released') }) } as unknown as Pool;
  await expect(distribute(pool)).rejects.toThrow('no space');
  expect(steps).toEqual(['BEGIN', 'ROLLBACK', 'released']);
});
