import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';

const root = resolve(import.meta.dirname, '../..');

/** The tables of the records. */
type Records = 'domain_events' | 'audit_events' | 'reconciliations' | 'approval_requests';

interface Rule {
  /** columns whose change is recorded */
  readonly columns: readonly string[];
  /** the records that a statement writes when it changes one of them */
  readonly records: readonly Records[];
  /** statements whose change is of another kind, with their records */
  readonly otherwise: Readonly<Record<string, readonly Records[]>>;
}

/** By table: what an UPDATE has to record. */
const updates: Readonly<Record<string, Rule>> = {
  access_consents: {
    columns: ['status', 'authorised_at'],
    records: ['domain_events', 'audit_events'],
    otherwise: {},
  },
  payment_consents: {
    columns: ['status'],
    records: ['domain_events', 'audit_events'],
    otherwise: {
      // The file arrives: the client did that itself, and nobody has decided anything yet.
      'store-payment-file': [],
      // Consumed: the customer decided, which already has its audit event.
      'create-file-payment': ['domain_events', 'reconciliations'],
    },
  },
  payment_orders: {
    columns: ['status', 'approvals_received', 'held_at', 'stopped_at'],
    records: ['domain_events', 'reconciliations'],
    otherwise: {
      // Putting it aside is internal to the bank.
      'take-file-payment': ['reconciliations'],
      'put-aside-stopped': ['reconciliations'],
      // It continues: there is nothing to report until it has a result.
      'put-back-released': [],
      'retry-held-file-payment': [],
      'retry-held-settlement': [],
      'release-settled-file-payment': [],
    },
  },
  payments: {
    columns: ['status'],
    records: ['domain_events', 'reconciliations'],
    otherwise: {},
  },
  clients: {
    columns: [
      'status',
      'secret_hash',
      'redirect_uris',
      'grant_types',
      'response_types',
      'scope',
      'token_endpoint_auth_method',
      'tls_client_auth_subject_dn',
      'jwks_uri',
      'metadata',
    ],
    records: ['audit_events'],
    otherwise: {},
  },
  access_tokens: { columns: ['revoked_at'], records: ['audit_events'], otherwise: {} },
  refresh_grants: { columns: ['revoked_at'], records: ['audit_events'], otherwise: {} },
};

/** By table: what an INSERT has to record. */
const inserts: Readonly<Record<string, Records>> = {
  payment_orders: 'approval_requests',
  payment_approvals: 'audit_events',
  clients: 'audit_events',
};

/** @returns what an UPDATE of the statement sets, by column: of all its UPDATEs of this table */
function assignmentsIn(sql: string, table: string): string[][] {
  return [...sql.matchAll(new RegExp(`(?<!FOR )(?<!NO KEY )UPDATE ${table}(?: AS \\w+)?\\s+SET\\s`, 'g'))].map(
    (match) => columnsAfter(sql.slice(match.index + match[0].length)),
  );
}

/** @returns the columns of a list of assignments, up to the FROM, WHERE or RETURNING that stands in no parentheses */
function columnsAfter(text: string): string[] {
  const columns: string[] = [];
  let depth = 0;
  let isColumn = true;
  for (const [token] of text.matchAll(/'[^']*'|[(),=]|[\w.]+/g)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && /^(?:FROM|WHERE|RETURNING)$/.test(token))) break;
    if (depth > 0) continue;
    if (token === ',') isColumn = true;
    else if (isColumn) {
      columns.push(token);
      isColumn = false;
    }
  }
  return columns;
}

const writes = (sql: string, table: string): boolean => new RegExp(`INSERT INTO ${table}\\b`).test(sql);

let statements: NamedStatement[];

beforeAll(async () => {
  const folders = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`),
  );
  ({ statements } = await findNamedStatements(folders.filter((folder) => !/^apps\/(?:sandbox|tpp)\//.test(folder))));
});

/** A statement that changes a state, and which one. */
function changesOf(table: string, { columns }: Pick<Rule, 'columns'>): { statement: NamedStatement; set: string[] }[] {
  return statements.flatMap((statement) =>
    assignmentsIn(statement.sql, table)
      .filter((set) => set.some((column) => columns.includes(column)))
      .map((set) => ({ statement, set })),
  );
}

describe.each(Object.entries(updates))('a statement that changes the state of %s', (table, rule) => {
  it('records that itself', () => {
    const changes = changesOf(table, rule);
    expect(changes.length).toBeGreaterThan(0);
    const faults = changes.flatMap(({ statement: { name, sql } }) =>
      (rule.otherwise[name] ?? rule.records)
        .filter((record) => !writes(sql, record))
        .map((record) => `${name} writes no ${record}`),
    );
    expect(faults).toEqual([]);
  });

  it('and has exceptions only for existing statements', () => {
    const names = changesOf(table, rule).map(({ statement: { name } }) => name);
    expect(Object.keys(rule.otherwise).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe.each(Object.entries(inserts))('a statement that adds to %s', (table, record) => {
  it('records that', () => {
    const adding = statements.filter(({ sql }) => writes(sql, table));
    expect(adding.length).toBeGreaterThan(0);
    const silent = adding.filter(({ sql }) => !writes(sql, record));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });
});

it('no trigger is told who acts: that is a parameter of the statement', () => {
  const telling = statements.filter(({ sql }) => /set_config/.test(sql));
  expect(telling.map(({ name }) => name)).toEqual([]);
});
