import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { writeFiles } from '../../support/apps/openapi.js';
import { areas, createValidator, type Json, operationsOf, pointer, readDocument } from './api-document.js';

describe('the API documents in apps/openapi/documents, and the collection', () => {
  it('are rewritten if they differ, and deleted if no longer generated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const bruno = join(folder, 'apps/openapi/bruno');
    await mkdir(join(bruno, 'environments'), { recursive: true });
    const own = [join(bruno, 'environments/sandbox.bru'), join(bruno, 'notes.txt')];
    for (const file of [...own, join(bruno, '01 Old name.bru')]) await writeFile(file, 'x');
    const files = new Map([['apps/openapi/bruno/01 New name.bru', 'y']]);
    const changes = ['apps/openapi/bruno/01 New name.bru', 'apps/openapi/bruno/01 Old name.bru'];
    expect(await writeFiles(files, { root: folder, isCheck: true })).toEqual(changes);
    expect((await readdir(bruno)).toSorted()).toEqual(['01 Old name.bru', 'environments', 'notes.txt']);
    expect(await writeFiles(files, { root: folder, isCheck: false })).toEqual(changes);
    expect((await readdir(bruno)).toSorted()).toEqual(['01 New name.bru', 'environments', 'notes.txt']);
    expect(await writeFiles(files, { root: folder, isCheck: true })).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it.each(areas)('%s is OpenAPI 3.1', async (area) => {
    const { valid, errors } = await new Validator().validate(readDocument(area));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(readDocument(area)['openapi']).toBe('3.1.0');
  });

  it.each(areas)('every operation of %s has a name, texts, and a description of each answer', (area) => {
    const operations = operationsOf(area);
    expect(operations.length).toBeGreaterThan(0);
    for (const { item } of operations) {
      const { operationId, summary, description, tags } = item as Record<string, string>;
      expect([operationId, summary, description, tags].every((text) => (text ?? '').length > 0)).toBe(true);
      const poor = Object.entries(item.responses).filter(([, response]) => String(response['description']).length < 5);
      expect(poor).toEqual([]);
    }
    const names = operations.map(({ id }) => id);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(areas)('every example of %s is good by its schema', (area) => {
    const ajv = createValidator({ isClosed: false });
    const media = operationsOf(area).flatMap(({ path, method, item }) => {
      const place = ['paths', path, method.toLowerCase()];
      const bodies = [
        [[...place, 'requestBody'], item.requestBody ?? {}] as const,
        ...Object.entries(item.responses).map(([status, body]) => [[...place, 'responses', status], body] as const),
      ];
      return bodies.flatMap(([at, body]) =>
        Object.entries((body['content'] ?? {}) as Record<string, Json>).map(([type, content]) => ({
          at: [...at, 'content', type],
          examples: Object.values((content['examples'] ?? {}) as Record<string, Json>),
        })),
      );
    });
    let count = 0;
    for (const { at, examples } of media) {
      const validate = ajv.compile({ $ref: `https://document/${area}#${pointer(...at, 'schema')}` });
      for (const { value } of examples) {
        count += 1;
        validate(value);
        expect({ at, faults: validate.errors ?? [] }).toEqual({ at, faults: [] });
      }
    }
    expect(count).toBeGreaterThan(area === 'discovery-and-registration' ? 5 : 10);
  });
});
