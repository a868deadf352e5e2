import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { clientOf } from '../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../libs/persistence/src/distribution/name-client.js';
import {
  accessConsentTransitions,
  consentTransitions,
  paymentOrderTransitions,
  paymentTransitions,
} from '#libs/obie-rules';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';

/** A form of SQL that a distributed PostgreSQL refuses, or accepts and does something else. */
interface RefusedForm {
  readonly name: string;
  /** @returns whether the statement has it */
  readonly isIn: (sql: string) => boolean;
}

/**
 * A statement level by level: of each pair of parentheses what stands in it, with `()` for each pair in there. So a
 * word belongs to the clause in which it is.
 */
function levelsOf(sql: string): string[] {
  const levels: string[] = [];
  const open: string[] = [''];
  for (const character of sql.replaceAll(/--[^\n]*/g, '')) {
    if (character === '(') open.push('');
    else if (character === ')' && open.length > 1) {
      levels.push(open.pop() ?? '');
      open.push(`${open.pop() ?? ''}()`);
    } else open.push((open.pop() ?? '') + character);
  }
  return [...levels, ...open];
}

const anyLevel = (sql: string, form: RegExp): boolean => levelsOf(sql).some((level) => form.test(level));

/** Everything in parentheses, as it is, that stands behind a word. */
function inParenthesesBehind(sql: string, word: RegExp): string[] {
  return [...sql.matchAll(word)].map(({ index, 0: found }) => {
    const start = index + found.length;
    let depth = 0;
    for (let end = start; end < sql.length; end += 1) {
      if (sql[end] === '(') depth += 1;
      if (sql[end] === ')') depth -= 1;
      if (depth === 0) return sql.slice(start + 1, end);
    }
    return sql.slice(start);
  });
}

/** Tables with a copy on every node: a look-up in them needs no distribution key. */
const copied = /FROM (?:clients|payment_stops|works)\b/;

/** What no statement may have; measured with Citus 13.2. */
const refusedForms: readonly RefusedForm[] = [
  // It holds for one connection, and triggers run on others.
  { name: 'set_config', isIn: (sql) => /\bset_config\b/i.test(sql) },
  { name: 'ctid', isIn: (sql) => /\bctid\b/i.test(sql) },
  {
    name: 'a parameter in RETURNING of an upsert',
    isIn: (sql) => anyLevel(sql, /\bON\s+CONFLICT\b[\s\S]*\bDO\s+UPDATE\b[\s\S]*\bRETURNING\b[^;]*\$\d/i),
  },
  {
    name: 'a query in ON CONFLICT ... WHERE',
    isIn: (sql) => inParenthesesInUpserts(sql).some((inner) => /\bSELECT\b/i.test(inner)),
  },
  // A day has 23 hours once a year: such a sum is STABLE. Parameters alone are added up before the statement goes out.
  {
    name: 'timestamptz + interval * column',
    isIn: (sql) =>
      /\binterval\s+'[^']*'\s*\*/i.test(sql) ||
      (/\*\s*interval\b/i.test(sql) && !/\$\d+(::\w+)?\s*\*\s*interval\b/i.test(sql)),
  },
  {
    name: 'column + interval',
    isIn: (sql) => /(?<![:\w$.])[a-z_]+(?:\.[a-z_]+)?\s*[+-]\s*(?:\$\d+(?:::\w+)?\s*\*\s*)?interval\b/i.test(sql),
  },
  {
    name: 'FOR UPDATE of a join',
    isIn: (sql) => anyLevel(sql, /\bFROM\b[\s\S]*\bJOIN\b[\s\S]*\bFOR\s+(?:NO\s+KEY\s+)?UPDATE\b/i),
  },
  // Citus ends with a signal, and takes all connections with it.
  {
    name: 'an element of an array as a new value',
    isIn: (sql) => anyLevel(sql, /\bSET\b(?:(?!\b(?:FROM|WHERE|RETURNING)\b)[\s\S])*=\s*(?:[\w.$]|\(\))+\[[^\]]/i),
  },
  {
    name: 'EXISTS of no column, with a query in its condition',
    isIn: (sql) =>
      inParenthesesBehind(sql, /\bEXISTS\s+(?=\()/g).some((inner) =>
        /^SELECT\s+FROM\s+\w+\s+WHERE\b[\s\S]*\(SELECT\b/.test(inner),
      ),
  },
  { name: 'a lock of the session', isIn: (sql) => /\bpg_(?:try_)?advisory_(?:lock|unlock)/i.test(sql) },
  { name: 'an advisory lock', isIn: (sql) => /\bpg_(?:try_)?advisory_xact_lock/i.test(sql) },
  {
    name: 'LATERAL with a limit and no client',
    isIn: (sql) =>
      inParenthesesBehind(sql, /\bLATERAL\s+(?=\()/gi).some(
        (inner) =>
          /\b(?:LIMIT|OFFSET)\b/i.test(inner) && !copied.test(inner) && !/\bclient_id\s*=|\bissuer\s*=/i.test(inner),
      ),
  },
];

/** @returns what stands in parentheses between ON CONFLICT ... WHERE and the end of its statement */
function inParenthesesInUpserts(sql: string): string[] {
  return [...sql.matchAll(/\bON\s+CONFLICT\b[\s\S]*?(?=\bRETURNING\b|$)/gi)].flatMap(({ 0: rest }) => {
    const upsert = untilClosed(rest);
    const condition = upsert.indexOf('WHERE');
    return condition < 0 ? [] : inParenthesesBehind(upsert.slice(condition), /(?=\()/g);
  });
}

/** @returns the text up to the parenthesis that closes one before it */
function untilClosed(text: string): string {
  let depth = 0;
  for (let end = 0; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth < 0) return text.slice(0, end);
  }
  return text;
}

/** @returns triggers of a migration that are for rows and for TRUNCATE at once */
function mixedTriggersIn(source: string): string[] {
  return [...source.matchAll(/CREATE (?:OR REPLACE )?TRIGGER (\w+)\s+\w+ ([^$;`]*?)\s+ON\b/g)]
    .filter(([, , events = '']) => /TRUNCATE/.test(events) && /UPDATE|DELETE|INSERT/.test(events))
    .map(([, name = '']) => name);
}

const root = resolve(import.meta.dirname, '../..');
const migrations = 'libs/persistence/src/migrations';

/** Statements that have a refused form and are accepted all the same. */
const takenAllTheSame: Readonly<Record<string, readonly string[]>> = {
  // Citus sends it to the session's node as it is.
  'EXISTS of no column, with a query in its condition': ['end-authorization-session'],
  // Statements of one transaction, on one server.
  'an advisory lock': ['lock-software'],
  // A session of the approvals page, which is on the coordinator; the event of an approval, by its key (not tried on a
  // cluster).
  'LATERAL with a limit and no client': ['decide-payment-approval', 'read-own-books'],
};

/** What the database gets where rows are distributed by client. */
const asSent = ({ name, sql }: NamedStatement): string => (clientOf(name, sql) === undefined ? sql : nameClient(sql));

/**
 * Statements that wait for rows, or lock some without a limit. No test runs each twice at once: this list notices a
 * lock that goes.
 */
const locksOfStatements: Readonly<Record<string, string>> = {
  'acknowledge-differences': 'FOR NO KEY UPDATE',
  'approve-access': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'approve-authorization': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'conclude-held-payment': 'FOR NO KEY UPDATE',
  'create-file-payment': 'FOR NO KEY UPDATE',
  'decide-payment-approval': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'end-access-consent': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'end-access-of-client': 'FOR NO KEY UPDATE',
  'end-authorization-session': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'enter-consent-at-once': 'FOR NO KEY UPDATE',
  'enter-second-factor': 'FOR NO KEY UPDATE',
  'erase-access': 'FOR NO KEY UPDATE',
  'erase-customer-data': 'FOR NO KEY UPDATE',
  'hold-unsettled-payments': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'lock-client-secret': 'FOR UPDATE',
  'note-access-use': 'FOR NO KEY UPDATE SKIP LOCKED',
  'note-different-books': 'FOR NO KEY UPDATE',
  'note-equal-books': 'FOR NO KEY UPDATE',
  'note-payment-report': 'FOR NO KEY UPDATE',
  'note-payments-found': 'FOR NO KEY UPDATE',
  'note-payments-handed-over': 'FOR NO KEY UPDATE',
  'note-payments-settled': 'FOR NO KEY UPDATE',
  'postpone-reconciliations': 'FOR NO KEY UPDATE',
  'put-back-released': 'FOR UPDATE SKIP LOCKED',
  'redeem-authorization-codes': 'FOR NO KEY UPDATE',
  'reject-awaiting-upload': 'FOR NO KEY UPDATE',
  'reject-held-file-payment': 'FOR NO KEY UPDATE',
  'remove-client': 'FOR NO KEY UPDATE',
  'revoke-tokens-of-client': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE, FOR NO KEY UPDATE',
  'revoke-tokens-of-code': 'FOR NO KEY UPDATE',
  'store-payment-file': 'FOR NO KEY UPDATE',
  'try-sealing-lock': 'FOR UPDATE SKIP LOCKED',
  'use-refresh-token': 'FOR NO KEY UPDATE',
  'withdraw-access-consent': 'FOR NO KEY UPDATE, FOR NO KEY UPDATE',
};

let statements: NamedStatement[];

beforeAll(async () => {
  ({ statements } = await findNamedStatements(['apps', 'libs']));
}, 120_000);

/** Rows that a change finds in an order, without a lock. */
const inOrder = /WHERE [^()]*ORDER BY [\w.]+(?:, [\w.]+)*\s*\)\)/;

describe('the forms of the statements', () => {
  it.each(refusedForms)('$name: in none but those that are taken all the same', ({ name, isIn }) => {
    const found = statements.filter((each) => !each.file.startsWith('apps/sandbox/') && isIn(asSent(each)));
    expect([...new Set(found.map((each) => each.name))].toSorted()).toEqual(takenAllTheSame[name] ?? []);
  });

  it('a change of some of many rows passes over those that another worker has', () => {
    const some = statements.filter(
      ({ sql }) =>
        /\b(UPDATE|DELETE FROM) \w/.test(sql) && /ORDER BY (?:\w+|COALESCE\([^()]*\)) LIMIT (\$\d|1)/.test(sql),
    );
    expect(some.length).toBeGreaterThan(10);
    const waits = some.filter(({ sql }) => !sql.includes('FOR UPDATE SKIP LOCKED'));
    expect(waits.map(({ name }) => name)).toEqual([]);
  });

  it('a change of rows in an order locks them in it, so that two such changes wait for each other', () => {
    const changes = statements.filter(({ sql }) => /\b(UPDATE|DELETE FROM) \w/.test(sql));
    const locked =
      /ORDER BY (\w+) LIMIT \w+\) AS own\s+CROSS JOIN LATERAL \(SELECT \* FROM \w+ WHERE \1 = own\.\1 LIMIT 1 FOR NO/;
    expect([...new Set(changes.filter(({ sql }) => locked.test(sql)).map(({ name }) => name))]).toEqual([
      'store-payment-file',
      'create-file-payment',
      'end-access-consent',
      'withdraw-access-consent',
      'revoke-tokens-of-client',
      'revoke-tokens-of-code',
    ]);
    expect(changes.filter(({ sql }) => inOrder.test(sql)).map(({ name }) => name)).toEqual([]);
  });

  it('lock what is in the table of locks', () => {
    const others = statements.filter(({ sql }) => !/ LIMIT (?:\$\d|1)\s+FOR UPDATE SKIP LOCKED/.test(sql));
    const found = others.flatMap(({ name, sql }) => {
      const locks = sql.match(/\bFOR (?:NO KEY )?(?:UPDATE|SHARE)(?: SKIP LOCKED)?/g);
      return locks === null ? [] : [[name, locks.join(', ')]];
    });
    expect(Object.fromEntries(found)).toEqual(locksOfStatements);
  });

  // With one row in a test, a change of all rows looks the same.
  it('change those rows that they have found, by their keys', () => {
    const form = /\bUPDATE (\w+)(?: AS (\w+))? SET\b.*?\bFROM [\w(), ]+ WHERE\b(.*?)(?:\bRETURNING\b|$)/;
    const changes = statements.flatMap(({ name, sql }) =>
      levelsOf(sql.replaceAll(/\s+/g, ' ')).flatMap((level) => {
        const [all, table = '', alias = table, condition = ''] = form.exec(level) ?? [];
        return all === undefined ? [] : [{ name, alias, condition }];
      }),
    );
    expect(changes.length).toBeGreaterThan(50);
    const isJoined = ({ alias, condition }: (typeof changes)[number]): boolean =>
      new RegExp(`(?:^|AND) ${alias}\\.\\w+ = (?!${alias}\\b)[a-z_]+\\.\\w+ `).test(`${condition} `) &&
      !/\bOR\b/.test(condition);
    // Both name their row by a parameter, and what they found is one row or none.
    const alone = ['replace-client', 'note-payments-handed-over'];
    expect(changes.filter((each) => !isJoined(each)).map(({ name }) => name)).toEqual(alone);
  });

  it('look up a row by all columns of its key', () => {
    const form = /^\s*SELECT \* FROM (\w+) WHERE (.*) LIMIT 1(?: FOR NO KEY UPDATE)?\s*$/;
    const found = statements.flatMap(({ sql }) =>
      levelsOf(sql.replaceAll(/\s+/g, ' ')).flatMap((level) => {
        const [all, table = '', condition = ''] = form.exec(level) ?? [];
        return all === undefined ? [] : [{ table, condition }];
      }),
    );
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ condition }) => /[<>]|\b(?:OR|NOT)\b/.test(condition))).toEqual([]);
    const columns = found.map(({ table, condition }) => [table, ...(condition.match(/(?<![.\w])\w+(?= = )/g) ?? [])]);
    expect(columns.filter(({ length }) => length < 2)).toEqual([]);
    const ofSeveral = columns.filter(({ length }) => length > 2).map((each) => each.join(' '));
    expect([...new Set(ofSeveral)].toSorted()).toEqual([
      'idempotency_keys client_id operation idempotency_key',
      'payment_approvals payment_order_id psu_id',
      'payment_stops scope target',
    ]);
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
      'EXISTS of no column, with a query in its condition': [
        'UPDATE a SET b = 1 WHERE EXISTS (SELECT FROM found WHERE found.c = (SELECT count(*) FROM d))',
        'UPDATE a SET b = 1 WHERE EXISTS (SELECT 1 FROM found WHERE found.c = (SELECT count(*) FROM d))',
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

  it.each([
    ['payment_consents', consentTransitions],
    ['access_consents', accessConsentTransitions],
    ['payment_orders', paymentOrderTransitions],
    ['payments', paymentTransitions],
  ])('permit the steps that the table of states has: %s', (table, transitions) => {
    const guards = readFileSync(join(root, migrations, 'guards.sql'), 'utf8');
    const [, permitted = ''] =
      new RegExp(`TRIGGER ${table}_transitions [^;]* NOT IN \\(([^;]*)\\)\\)\n`).exec(guards) ?? [];
    const steps = Object.entries<readonly string[]>(transitions).flatMap(([from, next]) =>
      next.map((to) => `('${from}', '${to}')`),
    );
    expect(
      permitted
        .split(/,\s+(?=\()/)
        .map((each) => each.trim())
        .toSorted(),
    ).toEqual(steps.toSorted());
  });
});
