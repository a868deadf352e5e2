import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { readRecords } from '../corpus/records.js';
import { parseSource } from '../support/parse-source.js';
import { errorCatalogue } from '#libs/error-catalogue';

const root = resolve(import.meta.dirname, '../..');
const namespace = 'UK.BANK';
const catalogue = errorCatalogue(namespace);
/** As in the code: without the namespace of the standard or the bank. */
const withoutNamespace = (code: string): string => code.replace(/^UK\.(?:BANK|OBIE)\./, '');
const codes = new Set(catalogue.map(({ code }) => withoutNamespace(code)));

/** Every text in the sources, except the entries of the catalogue itself. */
const texts = new Set(
  ['apps/api', 'apps/authorize', 'apps/token', 'libs']
    .flatMap((folder) => sourcesBelow(join(root, folder)))
    .filter((file) => !/error-catalogue\/src\/\w+-errors\.ts$/.test(file))
    .flatMap(textsOf)
    .map(withoutNamespace),
);

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts') ? [path] : [];
  });
}

function textsOf(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    // A type lists possible answers, not actual ones.
    if (ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parseSource(file));
  return found;
}

describe('the error catalogue', () => {
  it('has an entry for every code of the standard that the sources name', () => {
    const named = [...texts].filter((text) =>
      /^(?:Field|Header|Reauthenticate|Resource|Rules|Signature|Unexpected|Unsupported)\.[A-Z]\w+$/.test(text),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((code) => !codes.has(code) && !code.endsWith('.'))).toEqual([]);
  });

  it('has no entry for an unused code', () => {
    // The codes of 4.0 stand in the entries: each belongs to a code of 3.1.
    expect([...codes].filter((code) => !texts.has(code) && !/^U\d{3}$/.test(code))).toEqual([]);
  });

  it('has each status with which an error of OAuth is answered', () => {
    const errors = readFileSync(join(root, 'libs/oauth/src/errors/protocol-errors.ts'), 'utf8');
    const answered = [...errors.matchAll(/super\('(\w+)', (\d{3}),/g)].map(([, code, status]) => `${code} ${status}`);
    expect(answered.length).toBeGreaterThan(10);
    const stated = catalogue.flatMap(({ code, statuses }) => statuses.map((status) => `${code} ${status}`));
    // The browser takes this one to the client, without a status of its own.
    expect(answered.filter((each) => !stated.includes(each))).toEqual(['access_denied 400']);
  });

  it('says for every code when it occurs and what to do, in sentences', () => {
    const poor = catalogue.filter(({ meaning, causes, remedies }) =>
      [meaning, ...causes, ...remedies].some((text) => !/^[A-Za-z_].{15,}[.]$/s.test(text) || text.length > 400),
    );
    expect(poor.map(({ code }) => code)).toEqual([]);
    expect(catalogue.filter(({ causes, remedies }) => causes.length === 0 || remedies.length === 0)).toEqual([]);
  });
});

/** @returns whether a cause is said of another version, or of registration */
function isOfOthers(cause: string, version: string): boolean {
  return /^(?:Registration|v[0-9.]+):/.test(cause) && !cause.startsWith(`v${version}:`);
}

/** @returns what single payments of a version are recorded with: each status with each code of the standard, once */
async function answeredTo(version: string): Promise<string[]> {
  const answers = await readRecords(version, 'domestic-payments');
  const all = answers.flatMap(({ status, body }) => {
    const { Errors = [] } = (typeof body === 'string' ? JSON.parse(body) : (body ?? {})) as {
      Errors?: { ErrorCode: string }[];
    };
    return Errors.map(({ ErrorCode }) => `${status} ${ErrorCode}`);
  });
  return [...new Set(all)].filter((each) => !each.includes('UK.SandboxBank.'));
}

describe.each(['3.1', '4.0'])('the page of an error of a single payment of %s', (version) => {
  const entries = async () => {
    const answered = await answeredTo(version);
    expect(answered.length).toBeGreaterThan(12);
    return catalogue
      .map((entry) => ({ ...entry, answered: answered.filter((each) => each.endsWith(` ${entry.code}`)) }))
      .filter((entry) => entry.answered.length > 0);
  };

  it('has the status of the answer', async () => {
    const wrong = (await entries()).flatMap(({ code, statuses, answered }) =>
      answered.filter((each) => !statuses.some((status) => each === `${status} ${code}`)),
    );
    expect(wrong).toEqual([]);
  });

  it('names no address of files without that of single payments', async () => {
    const texts = (await entries()).flatMap(({ causes, remedies }) => [...causes, ...remedies]);
    expect(texts.filter((text) => text.includes('/file-') && !text.includes('/domestic-'))).toEqual([]);
  });

  it('has a cause that is not said of another version or of registration alone', async () => {
    const poor = (await entries()).filter(({ causes }) => causes.every((cause) => isOfOthers(cause, version)));
    expect(poor.map(({ code }) => code)).toEqual([]);
  });
});

describe('the page of an error', () => {
  it.each([
    ['of resources that belong to a version', ['UK.OBIE.Resource.ConsentMismatch', 'U008'], 3],
    ['of requests that have a key', ['UK.OBIE.Header.Missing', 'U007'], 1],
  ])('%s has the areas of these', (_title, named, count) => {
    const areas = ['payments', 'account access', 'funds confirmation'].slice(0, count);
    expect(named.map((code) => catalogue.find((entry) => entry.code === code)?.areas)).toEqual([areas, areas]);
  });
});
