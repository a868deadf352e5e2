import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { clientsOfStatements } from '../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../libs/persistence/src/distribution/name-client.js';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';
import { mixedTriggersIn, refusedForms } from '../support/statement-forms.js';

const root = resolve(import.meta.dirname, '../..');
const migrations = 'libs/persistence/src/migrations';

/** What has a form and is taken all the same. */
const takenAllTheSame: Readonly<Record<string, readonly string[]>> = {
  // Statements of one transaction, on one server.
  'an advisory lock': ['lock-software'],
  // A session of the approvals page, which is on the coordinator; the event of an approval, by its key (not tried on a
  // cluster).
  'LATERAL with a limit and no client': ['decide-payment-approval', 'read-own-books'],
};

/** What the database gets where rows are distributed by client. */
const asSent = ({ name, sql }: NamedStatement): string =>
  Object.hasOwn(clientsOfStatements, name) ? nameClient(sql) : sql;

let statements: NamedStatement[];

beforeAll(async () => {
  ({ statements } = await findNamedStatements(['apps', 'libs']));
}, 120_000);

/** Rows that a change finds in an order. */
const inOrder = (lock: string): RegExp => new RegExp(`WHERE [^()]*ORDER BY [\\w.]+(?:, [\\w.]+)*${lock}\\s*\\)\\)`);

describe('the forms of the statements', () => {
  it.each(refusedForms)('$name: in none but those that are taken all the same', ({ name, isIn }) => {
    const found = statements.filter((each) => !each.file.startsWith('apps/sandbox/') && isIn(asSent(each)));
    expect([...new Set(found.map((each) => each.name))].toSorted()).toEqual(takenAllTheSame[name] ?? []);
  });

  it('a change of some of many rows passes over those that another worker has', () => {
    const some = statements.filter(
      ({ sql }) => /\b(UPDATE|DELETE FROM) \w/.test(sql) && /ORDER BY \w+ LIMIT (\$\d|1)/.test(sql),
    );
    expect(some.length).toBeGreaterThan(10);
    const waits = some.filter(({ sql }) => !sql.includes('FOR UPDATE SKIP LOCKED'));
    expect(waits.map(({ name }) => name)).toEqual([]);
  });

  it('a change of rows in an order locks them in it, so that two such changes wait for each other', () => {
    const changes = statements.filter(({ sql }) => /\b(UPDATE|DELETE FROM) \w/.test(sql));
    expect(changes.filter(({ sql }) => inOrder('\\s+FOR UPDATE').test(sql)).length).toBeGreaterThan(0);
    expect(changes.filter(({ sql }) => inOrder('').test(sql)).map(({ name }) => name)).toEqual([]);
  });

  it('are distinguished from the accepted ones', () => {
    const refused: Readonly<Record<string, readonly [string, string]>> = {
      set_config: [`SELECT set_config('a', $1, true)`, 'SELECT 1'],
      ctid: ['DELETE FROM a WHERE ctid = ANY (ARRAY(SELECT ctid FROM a))', 'DELETE FROM a WHERE id = $1'],
      'a parameter in RETURNING of an upsert': [
        'INSERT INTO a VALUES ($1) ON CONFLICT (b) DO UPDATE SET b = $1 RETURNING $2::text',
        'WITH x AS (INSERT INTO a VALUES ($1) ON CONFLICT (b) DO UPDATE SET b = $1 RETURNING b) SELECT $2::text FROM x',
      ],
      'a query in ON CONFLICT ... WHERE': [
        'INSERT INTO a VALUES ($1) ON CONFLICT (b) DO UPDATE SET b = 1 WHERE a.b < (SELECT 1) RETURNING b',
        'INSERT INTO a VALUES ($1) ON CONFLICT (b) DO UPDATE SET b = 1 WHERE a.b < ($1::int[])[1] RETURNING (SELECT 1)',
      ],
      'timestamptz + interval * column': [
        `UPDATE a SET b = $1 + interval '1 second' * c`,
        `UPDATE a SET b = $1::timestamptz + $2::integer * interval '1 second'`,
      ],
      'column + interval': [
        `UPDATE a SET b = created_at + $2::integer * interval '1 second'`,
        `UPDATE a SET b = 1 WHERE c < $2::timestamptz - interval '1 second'`,
      ],
      'FOR UPDATE of a join': [
        'SELECT 1 FROM a JOIN b USING (c) FOR UPDATE OF a',
        'SELECT 1 FROM a JOIN (SELECT 1 FROM b FOR UPDATE) AS b ON true',
      ],
      'an element of an array as a new value': [
        'UPDATE a SET b = 1, c = ($1::integer[])[d] FROM e',
        'UPDATE a SET b = $1::integer[] FROM e WHERE c = ($2::integer[])[1]',
      ],
      'a lock of the session': ['SELECT pg_advisory_lock(1)', 'SELECT pg_advisory_xact_lock(1)'],
      'an advisory lock': ['SELECT pg_try_advisory_xact_lock(1)', 'SELECT FROM works FOR UPDATE'],
      'LATERAL with a limit and no client': [
        'SELECT 1 FROM a CROSS JOIN LATERAL (SELECT * FROM b WHERE c = a.c LIMIT 1) AS b',
        'SELECT 1 FROM a CROSS JOIN LATERAL (SELECT * FROM b WHERE c = a.c AND client_id = $1 LIMIT 1) AS b',
      ],
    };
    const judged = refusedForms.map(({ name, isIn }) => [name, ...(refused[name] ?? []).map((sql) => isIn(sql))]);
    expect(judged).toEqual(refusedForms.map(({ name }) => [name, true, false]));
  });
});

describe('the triggers of the migrations', () => {
  it('are for rows or for TRUNCATE', () => {
    const files = readdirSync(join(root, migrations)).filter((file) => /^\d|\.sql$/.test(file));
    expect(files).toContain('guards.sql');
    expect(files.flatMap((file) => mixedTriggersIn(readFileSync(join(root, migrations, file), 'utf8')))).toEqual([]);
    expect(mixedTriggersIn('CREATE TRIGGER a BEFORE UPDATE OR DELETE OR TRUNCATE ON b')).toEqual(['a']);
  });
});
