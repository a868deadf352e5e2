import { open, readFile } from 'node:fs/promises';
import { loadEnvFile } from 'node:process';
import { parseArgs } from 'node:util';
import { keyThumbprint, readAuditTrail, type TrailEntry, type TrailVerdict, verifyAuditTrail } from '#libs/audit';
import { loadDatabaseUrl } from '#libs/config';
import { openPool, type StatementRunner } from '#libs/persistence';
import { exitCode, OperatorError } from '../operator-error.js';

export const auditUsage = `Usage: npm run operator -- audit [--env-file FILE] COMMAND
  audit export --file FILE                        writes the whole trail, one JSON object a line
  audit verify --keys FILE [--head NUMBER:HASH]   checks the trail in the database
  audit verify --keys FILE --file FILE            checks an export; needs no database
--keys: the bank's published key set (jwks_uri). --head: a seal noted earlier (the worker logs each as "audit seal").`;

interface Values {
  'env-file'?: string | undefined;
  file?: string | undefined;
  keys?: string | undefined;
  head?: string | undefined;
}

const option = { type: 'string' } as const;
const options = { 'env-file': option, file: option, keys: option, head: option };

/** @returns whether a command line is about the audit trail, wherever its options stand */
export function isAuditCommand(parameters: string[]): boolean {
  return parseArgs({ args: parameters, allowPositionals: true, strict: false, options }).positionals[0] === 'audit';
}

/**
 * Writes or checks the audit trail.
 * @param parameters of the command line
 * @returns what is printed, and whether the trail holds
 * @throws OperatorError, ConfigError
 */
export async function runAuditCommand(
  parameters: string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ outcome: unknown; isIntact: boolean }> {
  const { command, values } = parse(parameters);
  const { file, keys, head } = values;
  // What is set already wins over the file.
  if (values['env-file'] !== undefined) loadEnvFile(values['env-file']);
  if (command === 'export' && file !== undefined) {
    return { outcome: await withDatabase(env, (runner) => exportTrail(runner, file)), isIntact: true };
  }
  if (command !== 'verify' || keys === undefined) throw new OperatorError(auditUsage, exitCode.usage);
  const expectations = {
    trustedKeys: await readTrustedKeys(keys),
    ...(head === undefined ? {} : { head: parseHead(head) }),
    now: new Date(),
  };
  const verdict: TrailVerdict =
    file === undefined
      ? await withDatabase(env, (runner) => verifyAuditTrail(readAuditTrail(runner), expectations))
      : await verifyAuditTrail(readExport(file), expectations);
  return { outcome: verdict, isIntact: verdict.verdict === 'intact' };
}

function parse(parameters: string[]): { command: string | undefined; values: Values } {
  try {
    const { positionals, values } = parseArgs({ args: parameters, allowPositionals: true, options });
    return { command: positionals.length === 2 ? positionals[1] : undefined, values };
  } catch (error) {
    throw new OperatorError(`${messageOf(error)}\n${auditUsage}`, exitCode.usage, { cause: error });
  }
}

function parseHead(text: string): { number: number; hash: string } {
  const [, number, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) throw new OperatorError(auditUsage, exitCode.usage);
  return { number: Number(number), hash };
}

async function readTrustedKeys(file: string): Promise<Set<string>> {
  try {
    const { keys } = JSON.parse(await readFile(file, 'utf8')) as { keys: unknown[] };
    return new Set(keys.map(keyThumbprint));
  } catch (error) {
    throw new OperatorError(`${file} holds no key set: ${messageOf(error)}`, exitCode.failed, { cause: error });
  }
}

/** The trail as it is at one moment: what is sealed while it is read does not get in between. */
async function withDatabase<Result>(
  env: Readonly<Record<string, string | undefined>>,
  work: (runner: StatementRunner) => Promise<Result>,
): Promise<Result> {
  const pool = openPool({
    url: loadDatabaseUrl(env),
    poolSize: 1,
    applicationName: 'operator',
    statementTimeoutMilliseconds: 0,
  });
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work({
      query: (name, text, parameters) => connection.query({ name, text, values: [...parameters] }),
    });
  } finally {
    // Nothing was written; the end of the connection ends the transaction.
    connection.release(true);
    await pool.end();
  }
}

async function exportTrail(runner: StatementRunner, file: string): Promise<{ file: string; entries: number }> {
  let entries = 0;
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw new OperatorError(`${file} cannot be written: ${messageOf(error)}`, exitCode.failed, { cause: error });
  });
  try {
    let lines: string[] = [];
    for await (const entry of readAuditTrail(runner)) {
      entries += 1;
      lines.push(`${JSON.stringify(entry)}\n`);
      if (lines.length < 1_000) continue;
      await handle.write(lines.join(''));
      lines = [];
    }
    await handle.write(lines.join(''));
  } finally {
    await handle.close();
  }
  return { file, entries };
}

async function* readExport(file: string): AsyncGenerator<TrailEntry> {
  let number = 0;
  const handle = await open(file).catch((error: unknown) => {
    throw new OperatorError(`${file} cannot be read: ${messageOf(error)}`, exitCode.failed, { cause: error });
  });
  for await (const line of handle.readLines()) {
    number += 1;
    if (line === '') continue;
    yield parseEntry(line, `${file}, line ${number}`);
  }
}

function parseEntry(line: string, place: string): TrailEntry {
  try {
    const entry = JSON.parse(line) as TrailEntry;
    if (entry.kind === 'seal' && typeof entry.seal === 'string') return entry;
    if (entry.kind === 'event' && typeof entry.event.eventId === 'string') return entry;
  } catch (error) {
    throw new OperatorError(`${place} is no entry of an export: ${messageOf(error)}`, exitCode.failed, {
      cause: error,
    });
  }
  throw new OperatorError(`${place} is no entry of an export.`, exitCode.failed);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
