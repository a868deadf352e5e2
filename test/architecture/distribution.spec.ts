import { beforeAll, describe, expect, it } from '@jest/globals';
import { clientsOfStatements } from '../../libs/persistence/src/distribution/clients-of-statements.js';
import { nameClient } from '../../libs/persistence/src/distribution/name-client.js';
import { findNamedStatements, type NamedStatement } from '../support/named-statements.js';

/** Of the bank's people, of the audit trail and of the worker's counts: what there is on all nodes. */
const onAllNodes: readonly string[] = [
  'count-access-to-end',
  'count-open-differences',
  'count-recent-state-changes',
  'count-stopped-file-payments',
  'erase-audit-events',
  'find-begun-stopped-file-payments',
  'find-consumed-consents',
  'find-erasable-seals',
  'find-held-file-payments',
  'find-stopped-file-payments',
  'find-unsealed-events',
  'finish-access-end',
  'note-domain-events-delivered',
  'note-sealed-events',
  'page-changed-consents',
  'page-consumed-consents',
  'read-orphaned-events',
  'read-sealed-events',
  'record-keys',
];

let statements: NamedStatement[];

beforeAll(async () => {
  const found = await findNamedStatements(['apps', 'libs']);
  statements = found.statements.filter(({ file }) => !file.startsWith('apps/sandbox/'));
}, 120_000);

describe('the statements in a database that is distributed by client', () => {
  it('name the client, or are among those that ask all nodes', () => {
    const unnamed = statements.filter(
      ({ name, sql }) => !Object.hasOwn(clientsOfStatements, name) && nameClient(sql) !== sql,
    );
    expect([...new Set(unnamed.map(({ name }) => name))].toSorted()).toEqual(onAllNodes);
  });

  it('that name it are there, and have rows of clients', () => {
    const names = Object.entries(clientsOfStatements).filter(
      ([, rule]) => !('client' in rule && rule.client === 'none'),
    );
    const senseless = names.filter(
      ([name]) => !statements.some((each) => each.name === name && nameClient(each.sql) !== each.sql),
    );
    expect(senseless.map(([name]) => name)).toEqual([]);
  });
});
