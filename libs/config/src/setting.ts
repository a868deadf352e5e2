/** How a text is read. `parse` throws for a text that is not of the format. */
export interface Format<T> {
  /** the permitted values, for the page */
  readonly values: string;
  /** what a message says after the name of the setting; default: that its content is invalid */
  readonly must?: string;
  readonly parse: (text: string) => T | Promise<T>;
}

/** @returns the value of another setting; undefined if it has none, is faulty, or is not read by this process */
export type Read = <T>(setting: Setting<T>) => T | undefined;

/** A value that a program takes: that of a setting, or one that is made of several. */
export interface Value<T> {
  readonly settings: readonly Setting<unknown>[];
  readonly make: (read: Read) => T;
}

interface Options<T> {
  /** as it would be set; without it, and not optional, the setting is required */
  readonly default?: string;
  /** how the page shows defaults that differ by process */
  readonly defaults?: string;
  readonly optional?: true;
  /** a variable of a library, which explains it: the page does not */
  readonly isOfLibrary?: true;
  readonly secret?: true;
  /** whether `<NAME>_FILE` may name a file that holds the value */
  readonly file?: true;
  /** of a key: how it is replaced (deploy/cryptography.md) */
  readonly rotation?: string;
  /** when it weakens the security profile */
  readonly weakens?: (value: T, read: Read) => boolean;
  /** a rule beyond the format, such as one on several settings: what is wrong, as it follows the setting's name */
  readonly check?: (value: T, read: Read) => readonly string[] | string | undefined;
}

/** An environment variable, and all there is to say about it. */
export interface Setting<T> extends Value<T>, Omit<Options<never>, 'weakens' | 'check'> {
  readonly name: string;
  /** what it means, in which unit */
  readonly text: string;
  readonly format: Format<unknown>;
  /** set by no environment of production */
  readonly isConstant: boolean;
  weakens?(value: unknown, read: Read): boolean;
  check?(value: unknown, read: Read): readonly string[] | string | undefined;
}

/** Declares a setting. */
export function setting<T>(
  name: string,
  text: string,
  format: Format<T>,
  options: Options<T> & { optional: true },
): Setting<T | undefined>;
export function setting<T>(name: string, text: string, format: Format<T>, options?: Options<T>): Setting<T>;
export function setting<T>(name: string, text: string, format: Format<T>, options: Options<T> = {}): Setting<unknown> {
  return declare(name, text, format, options, false);
}

/**
 * A value that no bank changes. Only tests and the sandbox set another (`loadConfig`, options.constants), by this name.
 * @param value as a setting would be set; without it there is none
 */
export function constant<T>(name: string, format: Format<T>, value: string): Setting<T>;
export function constant<T>(name: string, format: Format<T>): Setting<T | undefined>;
export function constant<T>(name: string, format: Format<T>, value?: string): Setting<unknown> {
  return declare(name, '', format, value === undefined ? { optional: true } : { default: value }, true);
}

function declare<T>(
  name: string,
  text: string,
  format: Format<T>,
  options: Options<T>,
  isConstant: boolean,
): Setting<unknown> {
  const declared = { ...options, name, text, format, isConstant, settings: [] as Setting<unknown>[] };
  const whole = { ...declared, make: (read: Read): unknown => read(whole) } as Setting<unknown>;
  (whole.settings as Setting<unknown>[]).push(whole);
  return whole;
}

/** A value made of several settings. */
export function made<const S extends readonly Setting<unknown>[], T>(
  settings: S,
  make: (...values: { -readonly [K in keyof S]: S[K] extends Setting<infer V> ? V : never }) => T,
): Value<T> {
  return { settings, make: (read) => make(...(settings.map((each) => read(each)) as never)) };
}

/** Values under a name, `config.<name>.<member>`; without a name they are members of Config itself. */
export interface Group<N extends string, M extends Readonly<Record<string, Value<unknown>>>> {
  readonly name: N;
  /** of the settings on the page */
  readonly title: string;
  readonly members: M;
}

export type AnyGroup = Group<string, Readonly<Record<string, Value<unknown>>>>;

export function group<const N extends string, M extends Readonly<Record<string, Value<unknown>>>>(
  name: N,
  title: string,
  members: M,
): Group<N, M> {
  return { name, title, members };
}

/** Values that a process takes: all of a group or some, always or under a condition. */
export interface Taken {
  readonly group: AnyGroup;
  readonly members: readonly string[];
  readonly condition?: { readonly setting: Setting<unknown>; readonly holds: (value: unknown) => boolean };
}

export function all(...groups: readonly AnyGroup[]): Taken[] {
  return groups.map((each) => ({ group: each, members: Object.keys(each.members) }));
}

export function only<G extends AnyGroup>(of: G, ...members: readonly (keyof G['members'] & string)[]): Taken[] {
  return [{ group: of, members }];
}

/** Takes values only while another setting has certain values: otherwise they are neither read nor demanded. */
export function when<T>(setting: Setting<T>, holds: (value: T) => boolean, taken: readonly Taken[]): Taken[] {
  return taken.map((each) => ({ ...each, condition: { setting, holds: holds as (value: unknown) => boolean } }));
}

type TypeOf<V> = V extends Value<infer T> ? T : never;
type Optional<M> = { [K in keyof M]: undefined extends TypeOf<M[K]> ? K : never }[keyof M];
type Members<M> = { readonly [K in Exclude<keyof M, Optional<M>>]: TypeOf<M[K]> } & {
  readonly [K in Optional<M>]?: TypeOf<M[K]>;
};

/** The members of Config from a group. */
export type ValuesOf<G> =
  G extends Group<infer N, infer M> ? (N extends '' ? Members<M> : { readonly [_ in N]: Members<M> }) : never;
