import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { programTrees, programs, createOpenapiProgram } from '../support/apps/program-trees.js';

const all = (program: Command): Command[] => [program, ...program.commands.flatMap(all)];
const trees = [...Object.values(programTrees), () => createOpenapiProgram(async () => undefined)].map((create) =>
  create(),
);
const commands = trees.flatMap((tree) => tree.commands.flatMap(all));
const options = trees.flatMap(all).flatMap((command) => command.options);
const firstWord = (text: string): string => /^\S+/.exec(text)?.[0] ?? '';

/** Verbs in the third person: "lists", "fetches". */
const isImperative = (text: string): boolean => /^[a-z-]+$/.test(firstWord(text)) && !firstWord(text).endsWith('s');

describe('the description of a command', () => {
  it('tells what to do: list, not lists', () => {
    const named = [...commands.map((each) => each.description()), ...Object.values(programs).map((p) => p.description)];
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((text) => !isImperative(text))).toEqual([]);
  });

  it('is a sentence for a whole program', () => {
    const texts = trees.map((tree) => tree.description());
    expect(texts.filter((text) => !isImperative(text.toLowerCase()) || !/^[A-Z].*\.$/.test(text))).toEqual([]);
  });

  it('has the same form in the options', () => {
    const verbs = new Set(commands.map((each) => firstWord(each.description())));
    const texts = options.map(({ description }) => description);
    expect(texts.length).toBeGreaterThan(60);
    const isThirdPerson = (word: string): boolean =>
      verbs.has(word.replace(/e?s$/, '')) || verbs.has(word.slice(0, -1));
    expect(texts.filter((text) => firstWord(text).endsWith('s') && isThirdPerson(firstWord(text)))).toEqual([]);
  });

  it('has the same form on the page of all commands', () => {
    const rows = [...readFileSync('docs/reference/commands.md', 'utf8').matchAll(/^\| `.+?\| (.+?) *\|$/gm)];
    const texts = rows.map(([, text = '']) => text);
    expect(texts.length).toBeGreaterThan(20);
    expect(texts.filter((text) => !isImperative(text))).toEqual([]);
  });
});
