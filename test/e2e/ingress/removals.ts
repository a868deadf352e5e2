import type { AttackGroup } from '../../support/apps/ingress-check.js';
import { appNames } from './bank-host.js';
import { readDirectives, replaceDirective, type Directive } from './directives.js';
import type { Form } from './proxy.js';

/** The directive of a row: its block, and the beginning of its text. */
interface Place {
  readonly where: string | RegExp;
  readonly directive: string | RegExp;
}

/** A protection: without it the self-test fails. */
export interface Removal extends Place {
  /** the row of the self-test that shows it */
  readonly found: string;
  readonly by: AttackGroup;
  /** its replacement; nothing by default */
  readonly instead?: string;
  /** a further change without which it would not matter here, such as an equally strict default of the machine */
  readonly also?: readonly (readonly [from: string, to: string])[];
  /** the same protection with a short time, so that the test need not wait: with it the self-test succeeds */
  readonly shortened?: string;
  /** what takes the place of the instances; the instances by default */
  readonly behind?: 'an impostor';
}

/** A protection without which the ingress does not start. */
export interface Necessity extends Place {
  readonly isNecessary: true;
}

/** Not a protection: its removal opens nothing. */
interface Other extends Place {
  readonly because: string;
}

export type Row = Removal | Necessity | Other;

/** @returns a protection: without it the self-test shows this row */
export const missed = (
  where: Place['where'],
  directive: Place['directive'],
  found: string,
  by: AttackGroup,
  more: Omit<Removal, keyof Place | 'found' | 'by'> = {},
): Row => ({ where, directive, found, by, ...more });

export const necessary = (where: Place['where'], directive: Place['directive']): Row => ({
  where,
  directive,
  isNecessary: true,
});

export const spared = (where: Place['where'], directive: Place['directive'], because: string): Row => ({
  where,
  directive,
  because,
});

/** @returns the directives of a row */
export function directivesOf(row: Row, directives: readonly Directive[]): Directive[] {
  return directives.filter(({ where, text }) => isAt(row.where, where, true) && isAt(row.directive, text, false));
}

function isAt(expected: string | RegExp, actual: string, isWhole: boolean): boolean {
  if (typeof expected !== 'string') return expected.test(actual);
  return isWhole ? actual === expected : actual.replace(/;$/, '').concat(' ').startsWith(`${expected} `);
}

/** @returns a function that removes the protection from the configuration */
export function removalOf(form: Form, row: Removal | Necessity, instead?: string): (configuration: string) => string {
  return (configuration) => {
    const [directive, ...others] = directivesOf(row, readDirectives(form, configuration));
    if (!directive || others.length > 0) throw new Error(`Not one directive: ${describeRow(row)}`);
    const { also = [] } = 'found' in row ? row : {};
    let text = configuration;
    text = replaceDirective(text, directive, instead ?? ('found' in row ? row.instead : undefined));
    for (const [from, to] of also) {
      if (!text.includes(from)) throw new Error(`No "${from}" in the configuration.`);
      text = text.replaceAll(from, to);
    }
    return text;
  };
}

/** @returns a row in words */
export function describeRow({ where, directive }: Row): string {
  return [where, directive].map((part) => (typeof part === 'string' ? part : part.source)).join(' > ');
}

/**
 * @returns the same for rows that say the same of each application: the listener of one shows nothing of another's, so
 * all of them are removed at the same time
 */
export function groupOf(row: Removal): string {
  const words = `${describeRow(row)} ${row.instead ?? ''} ${row.by}`;
  return words.replaceAll(new RegExp(`\\b(${appNames.join('|')}|203\\.0\\.113\\.\\d+|auth)\\b`, 'g'), '*');
}
