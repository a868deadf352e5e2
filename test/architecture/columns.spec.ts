import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/** What cannot be broken: the import of one name, and a regular expression. */
const unbreakable = /^import \{ \w+ \} from '[^']+';$|^ *\/.*\/[a-z]*[,;]$/;

it('lines of the product stay within 120 columns', () => {
  const files = ['apps', 'libs']
    .flatMap((room) => readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).map((at) => join(room, at)))
    .filter((file) => /\.(?:ts|mjs|js|css|eta|sql)$/.test(file) && !/node_modules|\.spec\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(1_000);
  const long = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > 120 && !unbreakable.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
