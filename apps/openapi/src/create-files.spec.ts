import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createFiles } from './create-files.js';
import { writeFiles } from './write-files.js';

it('the API documents and the collection are what the code says (npm run openapi writes them)', async () => {
  const root = join(import.meta.dirname, '../../..');
  expect(await writeFiles(await createFiles(), { root, isCheck: true })).toEqual([]);
});
