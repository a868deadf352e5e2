import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
/** Other tables refer to these without a constraint. */
const kept = [
  'clients',
  'access_consents',
  'payment_consents',
  'payment_orders',
  'payments',
  'payment_files',
  'instruction_lists',
];

describe('rows that others refer to without a foreign key', () => {
  it('are deleted by no statement: customers’ data is erased column by column, and a client becomes a tombstone', () => {
    const removal = new RegExp(`\\b(?:DELETE\\s+FROM|TRUNCATE(?:\\s+TABLE)?)\\s+(?:${kept.join('|')})\\b`, 'i');
    const files = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(folder, path)),
    );
    const removing = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      // Repositories read; they never delete.
      return removal.test(text) || (/\bRepository</.test(text) && /\.(?:delete|remove|clear)\(/.test(text));
    });
    expect(files.length).toBeGreaterThan(100);
    expect(removing).toEqual([]);
  });
});
