import type { AttackGroup } from '../../../apps/ingress-check/src/target.js';
import { readDirectives, replaceDirective, type Directive } from './directives.js';
import type { Form } from './proxy.js';

/** Which directive a row is about: the block it stands in, and how it begins. */
interface Place {
  readonly where: string | RegExp;
  readonly directive: string | RegExp;
}

/** A protection: without it the self-test is red. */
export interface Removal extends Place {
  /** the row of the self-test that shows it */
  readonly found: string;
  readonly by: AttackGroup;
  /** what is written in its place; nothing by default */
  readonly instead?: string;
  /** what else must be different for it to matter here, such as a default of the machine's that is as strict */
  readonly also?: readonly (readonly [from: string, to: string])[];
  /** the same protection, made so short that the test need not wait for it: with it all is well */
  readonly shortened?: string;
  /** who stands where the instances are; they themselves by default */
  readonly behind?: 'an impostor';
}

/** A protection without which the ingress does not even start. */
export interface Necessity extends Place {
  readonly isNecessary: true;
}

/** No protection: taken away, it opens nothing. */
export interface Other extends Place {
  readonly because: string;
}

export type Row = Removal | Necessity | Other;

/** @returns the directives that a row is about */
export function directivesOf(row: Row, directives: readonly Directive[]): Directive[] {
  return directives.filter(({ where, text }) => isAt(row.where, where, true) && isAt(row.directive, text, false));
}

function isAt(expected: string | RegExp, actual: string, isWhole: boolean): boolean {
  if (typeof expected !== 'string') return expected.test(actual);
  return isWhole ? actual === expected : actual.replace(/;$/, '').concat(' ').startsWith(`${expected} `);
}

/** @returns what takes the protection out of the configuration */
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
