import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface PlanModule {
  readonly name: string;
  /** variants that leave it out */
  readonly notFor: readonly string[];
}

interface Row {
  readonly number: string;
  /** without what all names of its plan begin with */
  readonly name: string;
  readonly testedBy: string;
}

/** Specs beside the functions that decide; every other file is named from here. */
const besideSources: Readonly<Record<string, string>> = {
  'authenticate-client.spec.ts': '../../../libs/oauth/src/client-authentication',
  'verify-authorization-request.spec.ts': '../../../libs/oauth/src/authorization-request',
};

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, besideSources[file] ?? '.', file), 'utf8');
const readme = read('README.md');
const plans = JSON.parse(read('plan-modules.json')) as Readonly<Record<string, readonly PlanModule[]>>;
const fapi1 = plans['fapi1-advanced-final-test-plan'] ?? [];
const fapi2 = plans['fapi2-message-signing-final-test-plan'] ?? [];

const rows: readonly Row[] = [
  ...readme.matchAll(/^\| ([sp]?\d+) +\| (?:`(-[\w-]+)`|\(the name alone\)) +\| (.+?) +\|$/gm),
].map(([, number = '', name = '', testedBy = '']) => ({ number, name, testedBy }));
const rowsOf = (prefix: string): Row[] => rows.filter(({ number }) => number.replace(/\d+/, '') === prefix);
const excluded = [...readme.matchAll(/^\| `(fapi[\w-]+)` +\| (of .+?) +\|$/gm)].map(([, name = '', why = '']) => ({
  name,
  why,
}));

const fullName = ({ number, name }: Row): string =>
  `${number.startsWith('s') ? 'fapi2-security-profile-final' : 'fapi1-advanced-final'}${name}`;

/** @returns `s1`, `s2`, `s3` and `s7` of “s1 to s3, s7” */
function numbersIn(text: string): string[] {
  return text.split(/, | and /).flatMap((part) => {
    const [first = '', last] = part.split(' to ');
    if (last === undefined) return [first];
    const prefix = first.replace(/\d+/, '');
    const [from, to] = [first, last].map((each) => Number(each.slice(prefix.length)));
    return Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, index) => `${prefix}${(from ?? 0) + index}`);
  });
}

/** The numbers that stand in front of titles in a file. */
function numbersInTitles(file: string): Set<string> {
  const list = /['"`](?:refuses )?([spj]?\d+(?:(?:, | to )[spj]?\d+)*) \S/g;
  return new Set([...read(file).matchAll(list)].flatMap(([, text = '']) => numbersIn(text)));
}

const jarm = [...readme.matchAll(/^\| (j\d+[^|]*?) +\| (.+?) +\|$/gm)].map(([, numbers = '', testedBy = '']) => ({
  numbers: numbersIn(numbers),
  testedBy,
}));

// Tokens are bound to certificates: the suite calls that sender constraint mtls, as it calls a method of client
// authentication.
const isElsewhere = ({ name, notFor }: PlanModule): boolean =>
  (notFor.includes('plain_fapi') && notFor.includes('openbanking_uk')) ||
  (/dpop/.test(name) && notFor.includes('mtls'));

const without = (modules: readonly PlanModule[], variant: string): string[] =>
  modules.filter(({ notFor }) => notFor.includes(variant) && !notFor.includes('plain_fapi')).map(({ name }) => name);

describe('README.md of the conformance modules', () => {
  it('has each number once, and no gap', () => {
    for (const [prefix, count] of [
      ['', 47],
      ['p', 19],
      ['s', 64],
    ] as const) {
      const expected = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
      expect(rowsOf(prefix).map(({ number }) => number)).toEqual(expected);
    }
  });

  it.each([
    ['FAPI 1.0', fapi1, ['', 'p']],
    ['FAPI 2.0', fapi2, ['s']],
  ] as const)('has every module of %s once, with a test or with why not', (_plan, modules, prefixes) => {
    const names = modules.map(({ name }) => name);
    const told = [
      ...prefixes.flatMap(rowsOf).map(fullName),
      ...excluded.map(({ name }) => name).filter((name) => names.includes(name)),
    ];
    expect(told.toSorted()).toEqual(names.toSorted());
  });

  it('leaves out what the suite itself leaves out here, and nothing else', () => {
    const all = [...fapi1, ...fapi2];
    expect(excluded.map(({ name }) => name).toSorted()).toEqual(
      all
        .filter(isElsewhere)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('says of FAPI 1.0 which modules are of pushed requests alone, and of FAPI 2.0 which are of request objects', () => {
    expect(rowsOf('p').map(fullName).toSorted()).toEqual(without(fapi1, 'by_value').toSorted());
    const [, list = ''] = /leaves out what is about request objects: (.+?)\. The profile/s.exec(readme) ?? [];
    const numbers = numbersIn(list.replaceAll('\n', ' '));
    const named = rows.filter(({ number }) => numbers.includes(number)).map(fullName);
    expect(named.toSorted()).toEqual(without(fapi2, 'unsigned').toSorted());
  });

  it('says which modules the client credentials profile has', () => {
    const [, text = ''] = /The client credentials profile(.+?)\n\n/s.exec(readme) ?? [];
    const numbers = (text.match(/s\d+(?: to s\d+)?/g) ?? []).flatMap(numbersIn);
    const named = rows.filter(({ number }) => numbers.includes(number)).map(fullName);
    const expected = fapi2.filter(
      ({ name, notFor }) =>
        !/dpop/.test(name) && !notFor.includes('unsigned') && !notFor.includes('fapi_client_credentials_grant'),
    );
    expect(named.toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
  });

  it('has every number of the first table in the variant of JARM once', () => {
    const expected = rowsOf('').map(({ number }) => `j${number}`);
    const told = jarm.flatMap(({ numbers }) => numbers);
    expect(told.toSorted()).toEqual(expected.toSorted());
  });

  const tested = [
    ...rows.map(({ number, testedBy }) => [number, testedBy] as const),
    ...jarm.flatMap(({ numbers, testedBy }) => numbers.map((number) => [number, testedBy] as const)),
  ].flatMap(([number, testedBy]) => {
    const file = /^`([^`]+)`/.exec(testedBy)?.[1] ?? '';
    return file.endsWith('.e2e-spec.ts') || file in besideSources ? [[number, file] as const] : [];
  });

  it.each(tested)('%s is in a title of %s', (number, file) => {
    expect([...numbersInTitles(file)]).toContain(number);
  });

  it('names, where no file is named, a number that has one, or a test that is there', () => {
    const withFile = new Set(tested.map(([number]) => number));
    for (const { number, testedBy } of rows.filter((row) => !withFile.has(row.number))) {
      const referred = /^(\w\d+|\d+)\b/.exec(testedBy)?.[1];
      const path = /`([\w./-]+)`/.exec(testedBy)?.[1];
      const isTold = referred !== undefined ? withFile.has(referred) : path !== undefined;
      expect([number, isTold]).toEqual([number, true]);
    }
  });

  it('no title has a number that is in no table', () => {
    const known = new Set([...rows.map(({ number }) => number), ...jarm.flatMap(({ numbers }) => numbers)]);
    const files = ['.', '../token', '../account-access'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder))
        .filter((name) => name.endsWith('.e2e-spec.ts'))
        .map((name) => `${folder}/${name}`),
    );
    files.push(...Object.keys(besideSources));
    const used = files.flatMap((file) => [...numbersInTitles(file)].filter((number) => /^[spj]/.test(number)));
    expect(used.filter((number) => !known.has(number))).toEqual([]);
  });
});
