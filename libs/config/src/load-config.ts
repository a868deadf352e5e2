import { readFileSync } from 'node:fs';
import { Config } from './config.js';
import { findUnknownVariables } from './find-unknown-variables.js';
import { flag } from './formats.js';
import { all, group, setting, type Read, type Setting, type Taken } from './setting.js';

/** The configuration is invalid. The message names every faulty variable and its rule. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'Set these environment variables and start again; deploy/configuration.md explains each of them.',
    );
    this.name = 'ConfigError';
  }
}

const strict = setting(
  'STRICT',
  'Whether to refuse to start with a setting that weakens the security profile. The log and `open_banking_weakened` ' +
    'name such settings.',
  flag,
  { default: 'false' },
);

/** The values that every process takes. */
export const ownSettings = group('strictness', 'Policies', { isStrict: strict });

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the configuration of a process at once. Settings that it does not take are neither demanded nor
 * looked at, nor are their files.
 * @param env default: process.env
 * @param taken the values of the process (`<process>.settings.ts`)
 * @param options.constants other values of constants, by their names: for tests and the sandbox only
 * @throws ConfigError naming all variables that are missing or wrong
 */
export async function loadConfig(
  env: Variables = process.env,
  taken: readonly Taken[],
  options: { readonly constants?: Variables } = {},
): Promise<Config> {
  const problems = findForbidden(env);
  const values = new Map<Setting<unknown>, unknown>();
  const read: Read = <T>(each: Setting<T>) => values.get(each) as T | undefined;
  const seen = new Set<Setting<unknown>>();
  const readAll = async (settings: Iterable<Setting<unknown>>): Promise<void> => {
    for (const each of settings) {
      if (seen.size < seen.add(each).size)
        await readSetting(each, each.isConstant ? (options.constants ?? {}) : env, values, problems);
    }
  };
  const whole = [...taken, ...all(ownSettings)];
  await readAll(whole.filter(({ condition }) => condition === undefined).flatMap(settingsOf));
  const active = whole.filter(({ condition }) => condition?.holds(values.get(condition.setting)) ?? true);
  await readAll(active.flatMap(settingsOf));
  for (const [each, value] of values) {
    for (const problem of [each.check?.(value, read) ?? []].flat()) problems.push(`${each.name} ${problem}`);
  }
  const weakenings = [...values].filter(([each, value]) => each.weakens?.(value, read)).map(([each]) => each.name);
  if (read(strict) === true) {
    problems.push(...weakenings.map((name) => `${name} weakens the security profile, which STRICT=true refuses`));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const names = new Set(active.flatMap(settingsOf).map(({ name }) => name));
  return new Config({
    ...createValues(active, read),
    reads: (name: string) => names.has(name),
    weakenings,
    unknownVariables: findUnknownVariables(env, options.constants && constantsIn(seen)),
  } as unknown as Config);
}

function settingsOf({ group: of, members }: Taken): Setting<unknown>[] {
  return members.flatMap((name) => [...(of.members[name]?.settings ?? [])]);
}

function constantsIn(settings: Iterable<Setting<unknown>>): string[] {
  return [...settings].filter(({ isConstant }) => isConstant).map(({ name }) => name);
}

function findForbidden(env: Variables): string[] {
  // A sandbox allows changes of time and faults. Such a setting means that somebody mistakes this service for a
  // sandbox.
  const problems = Object.keys(env)
    .filter((name) => /^SANDBOX_(?!DIRECTORY$)/.test(name))
    .map((name) => `${name} is a setting of the sandbox, and this is not a sandbox`);
  // Node.js then checks no server's certificate, unless a connection insists.
  return env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
    ? [...problems, 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every server: unset it']
    : problems;
}

async function readSetting(
  each: Setting<unknown>,
  env: Variables,
  values: Map<Setting<unknown>, unknown>,
  problems: string[],
): Promise<void> {
  const { name, format } = each;
  const given = (each.file && readValueFile(each, env, problems)) || env[name] || each.default;
  if (given === undefined) {
    if (each.optional) values.set(each, undefined);
    else if (!(each.file && env[`${name}_FILE`])) problems.push(`${name} is missing`);
    return;
  }
  try {
    values.set(each, await format.parse(given));
  } catch {
    // The cause is left out on purpose: a parser's message may quote key material.
    problems.push(`${name} ${format.must ?? 'cannot be read: its content is invalid'}`);
  }
}

function readValueFile({ name }: Setting<unknown>, env: Variables, problems: string[]): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return undefined;
  if (env[name]) problems.push(`${name} and ${name}_FILE are both set: remove one of them`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const reason = error instanceof Error ? Reflect.get(error, 'code') : 'unknown';
    problems.push(`${name}_FILE names a file that cannot be read (${file}: ${String(reason)})`);
    return undefined;
  }
}

/** @returns the members of Config; a member that the process does not take throws when it is read */
function createValues(active: readonly Taken[], read: Read): Record<string, unknown> {
  const whole: Record<string, Record<string, unknown>> = { '': {} };
  for (const { group: of, members } of active) {
    const target = (whole[of.name] ??= {});
    for (const name of members) {
      Object.defineProperty(target, name, { enumerable: true, writable: true, value: of.members[name]?.make(read) });
    }
  }
  for (const { group: of } of active) {
    for (const name of Object.keys(of.members).filter((each) => !Object.hasOwn(whole[of.name] ?? {}, each))) {
      const get = (): never => {
        throw new Error(`config.${of.name}.${name} is read, and the settings of this process do not take it`);
      };
      if (of.name !== '') Object.defineProperty(whole[of.name], name, { enumerable: false, get });
    }
  }
  const { '': root, ...groups } = whole;
  return { ...groups, ...root };
}
