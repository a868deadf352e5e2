import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
const rows = [...read('README.md').matchAll(/^\| ([sp]\d+) +\| `(-[\w-]+)` +\| (.+?) +\|$/gm)];

describe('README.md of the conformance modules', () => {
  it('has each module of both plans once', () => {
    const names = rows.map(([, number = '', name]) => `${number[0]} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(rows.filter(([, number]) => number?.startsWith('s'))).toHaveLength(61);
    expect(rows.filter(([, number]) => number?.startsWith('p'))).toHaveLength(19);
  });

  it.each(
    rows.flatMap(
      ([, number = '', , by = '']) =>
        /^`([\w-]+\.e2e-spec\.ts)`/
          .exec(by)
          ?.slice(1)
          .map((file) => [number, file]) ?? [],
    ),
  )('%s is in a title of %s', (number, file) => {
    const numbers = [...read(file).matchAll(/'((?:refuses )?[sp]\d+(?:(?:, | to )[sp]\d+)*)\b/g)].flatMap(
      ([, text = '']) => {
        const [first = '', last] = text.replace('refuses ', '').split(' to ');
        if (last === undefined) return first.split(', ');
        const [from, to] = [Number(first.slice(1)), Number(last.slice(1))];
        return Array.from({ length: to - from + 1 }, (_, index) => `${first[0]}${from + index}`);
      },
    );
    expect(numbers).toContain(number);
  });
});
