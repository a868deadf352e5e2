import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '../support/parse-source.js';

const root = resolve(import.meta.dirname, '../..');
const migrations = 'libs/persistence/src/migrations';
/** How the tables of all owners are laid out: their schema, and the nodes of a cluster. */
const layouts = [migrations, 'libs/persistence/src/distribution'];

/** The owners, whose statements may name a table. Others use SQL fragments of the owner. */
const owners: Readonly<Record<string, string>> = {
  access_consent_ends: 'libs/access-consent',
  access_consents: 'libs/access-consent',
  access_tokens: 'libs/token-store',
  approval_requests: 'libs/payment-order',
  approval_sessions: 'libs/customer-session',
  audit_events: 'libs/audit',
  audit_seals: 'libs/audit',
  authorization_codes: 'libs/token-store',
  authorization_sessions: 'libs/customer-session',
  clients: 'libs/client-registration',
  decline_notices: 'libs/customer-session',
  domain_events: 'libs/events',
  idempotency_keys: 'libs/idempotency',
  instruction_lists: 'libs/payment-order',
  operator_requests: 'libs/payment-order',
  payment_approvals: 'libs/payment-order',
  payment_consents: 'libs/consent',
  payment_files: 'libs/file-payment',
  payment_orders: 'libs/payment-order',
  payment_stops: 'libs/payment-order',
  payments: 'libs/payment-order',
  pushed_authorization_requests: 'libs/customer-session',
  reconciliations: 'libs/payment-order',
  refresh_grants: 'libs/token-store',
  refresh_tokens: 'libs/token-store',
  used_jwt_ids: 'libs/token-store',
  works: 'libs/typeorm',
};

/** Sources that still name the tables of others. Never add one; remove each that no longer does. */
const stillForeign: Readonly<Record<string, readonly string[]>> = {
  'apps/operator': ['operator_requests'],
  'apps/worker': [
    'approval_requests',
    'audit_events',
    'decline_notices',
    'domain_events',
    'payment_orders',
    'payments',
  ],
  'libs/customer-session': ['authorization_codes', 'clients', 'instruction_lists', 'payment_consents', 'used_jwt_ids'],
  'libs/audit': ['works'],
  'libs/client-registration': ['used_jwt_ids'],
  // A consent may come with its payments.
  'libs/consent': ['instruction_lists'],
  'libs/file-payment': ['payment_consents'],
  'libs/payment-order': [
    'approval_sessions',
    'audit_events',
    'clients',
    'payment_consents',
    'payment_files',
    'used_jwt_ids',
  ],
  'libs/persistence': ['audit_events'],
  'libs/token-store': ['clients', 'payment_consents'],
};

/** Stages times and faults in all tables, from outside. */
const exempt = ['apps/sandbox'];

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => `${folder}/${path}`)
    .filter((path) => /^[^/]+\/[^/]+\/src\//.test(path) && !layouts.some((folder) => path.startsWith(folder)));
}

const inSql = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)/g;
const takingTable = new Set(['Entity', 'lockedRowByKey', 'rowByKey']);

/**
 * @returns tables that the statements of a source name, in SQL, as an entity or as the table of a fragment; comments do
 * not count
 */
function tablesIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      found.push(...[...node.getText().matchAll(inSql)].map(([, name = '']) => name));
    }
    if (ts.isCallExpression(node) && takingTable.has(node.expression.getText())) {
      const [table] = node.arguments;
      if (table && ts.isStringLiteral(table)) found.push(table.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parseSource(join(root, file)));
  return found.filter((name) => Object.hasOwn(owners, name));
}

function foreignTables(): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const file of ['apps', 'libs'].flatMap(sourcesBelow)) {
    const part = file.split('/').slice(0, 2).join('/');
    if (exempt.includes(part)) continue;
    const foreign = tablesIn(file).filter((table) => owners[table] !== part);
    if (foreign.length > 0) found.set(part, new Set([...(found.get(part) ?? []), ...foreign]));
  }
  return Object.fromEntries([...found].map(([part, tables]) => [part, [...tables].toSorted()]));
}

describe('the tables of the database', () => {
  it('have an owner each', () => {
    const made = readdirSync(join(root, migrations)).flatMap((file) => [
      ...readFileSync(join(root, migrations, file), 'utf8').matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g),
    ]);
    const names = [...new Set(made.map(([, name = '']) => name))].toSorted();
    expect(names).toEqual(Object.keys(owners).toSorted());
  });

  it('are named only by the statements of their owner, and by the listed exceptions', () => {
    expect(foreignTables()).toEqual(stillForeign);
  });
});
