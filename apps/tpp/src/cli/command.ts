import type { Output } from './output.js';
import type { Session } from './session.js';
import type { Surroundings } from './surroundings.js';
import { UsageError } from '../journey-error.js';

/** The values of a command's own options, by name. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** An option or operand as commander writes it, and one line on what it is. */
export type Described = readonly [term: string, description: string];

export interface Command {
  readonly name: string;
  /** one line for the list of commands */
  readonly summary: string;
  /** `<file>` must be given, `[file]` may be */
  readonly operands?: readonly Described[];
  /** its own options; every command also has the common ones */
  readonly options?: readonly Described[];
  /** further text of the help */
  readonly note?: string;
  /** that it sends no request which --curl can show instead */
  readonly sendsRequest?: false;
  run(call: CommandCall): Promise<void>;
}

/** The context of a running command. */
export interface CommandCall {
  readonly surroundings: Surroundings;
  readonly output: Output;
  readonly positionals: readonly string[];
  readonly values: OptionValues;
  /** the TPP with its connections; closed when the command ends; commands that work on files alone never open it */
  readonly session: () => Promise<Session>;
}

/** @returns the value of an option that takes one */
export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/**
 * @returns the value of an option that counts something
 * @throws UsageError for anything but a number from 1 to 1,000
 */
export function readCount(values: OptionValues, name: string, byDefault: number): number {
  const value = text(values, name);
  if (value === undefined) return byDefault;
  if (!/^[1-9]\d{0,3}$/.test(value) || Number(value) > 1_000) {
    throw new UsageError(`--${name} must be a number from 1 to 1,000`);
  }
  return Number(value);
}
