import { open, readFile, rm } from 'node:fs/promises';
import { readAuditTrail, type TrailEntry, type TrailVerdict, verifyAuditTrail } from '#libs/audit';
import { findUnrecordedApprovals } from '#libs/payment-order';
import { parseKeySet } from '#libs/jws';
import { loadDatabase, openPool, type StatementRunner } from '#libs/persistence';
import type { AuditCommand } from '../command.js';
import { OperatorError } from '../operator-error.js';

/**
 * Writes or checks the audit trail.
 * @param env where DATABASE_URL is, unless an export is checked
 * @returns what to print, and whether the trail is intact
 * @throws OperatorError, ConfigError
 */
export async function runAuditCommand(
  command: AuditCommand,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ outcome: unknown; isIntact: boolean }> {
  if (command.name === 'audit-export') {
    return { outcome: await withDatabase(env, (runner) => exportTrail(runner, command.file)), isIntact: true };
  }
  const { file, keys, head } = command;
  const expectations = {
    trustedKeys: await readTrustedKeys(keys),
    ...(head === undefined ? {} : { head }),
    now: new Date(),
  };
  const verdict: TrailVerdict =
    file === undefined
      ? await withDatabase(env, (runner) => verifyTrailAndApprovals(runner, expectations))
      : await verifyAuditTrail(readExport(file), expectations);
  return { outcome: verdict, isIntact: verdict.verdict === 'intact' };
}

/** Checks the trail, and that it records every approval in force. */
async function verifyTrailAndApprovals(
  runner: StatementRunner,
  expectations: Parameters<typeof verifyAuditTrail>[1],
): Promise<TrailVerdict> {
  const verdict = await verifyAuditTrail(readAuditTrail(runner), expectations);
  if (verdict.verdict === 'broken') return verdict;
  for await (const { id } of findUnrecordedApprovals(runner)) {
    return { verdict: 'broken', place: `approval of ${id}`, reason: 'no event records it' };
  }
  return verdict;
}

async function readTrustedKeys(file: string): Promise<ReadonlySet<string>> {
  try {
    const { thumbprints } = await parseKeySet(JSON.parse(await readFile(file, 'utf8')), { maxKeys: 100 });
    return thumbprints;
  } catch (error) {
    throw new OperatorError(`${file} does not contain a key set: ${messageOf(error)}`, 'failed', { cause: error });
  }
}

/** The trail at one moment: events sealed while it is read do not appear. */
async function withDatabase<Result>(
  env: Readonly<Record<string, string | undefined>>,
  work: (runner: StatementRunner) => Promise<Result>,
): Promise<Result> {
  const applicationName = 'operator';
  const pool = openPool({
    ...(await loadDatabase(env)),
    poolSize: 1,
    applicationName,
    statementTimeoutMilliseconds: 0,
  });
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work({
      applicationName,
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
    throw new OperatorError(`${file} cannot be written: ${messageOf(error)}`, 'failed', { cause: error });
  });
  try {
    let lines: string[] = [];
    for await (const entry of readAuditTrail(runner)) {
      entries += 1;
      lines.push(`${JSON.stringify(entry)}\n`);
      if (lines.length < 1_000) continue;
      await handle.appendFile(lines.join(''));
      lines = [];
    }
    await handle.appendFile(lines.join(''));
  } catch (error) {
    // Without its end it would pass for a whole, shorter trail.
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return { file, entries };
}

async function* readExport(file: string): AsyncGenerator<TrailEntry> {
  let number = 0;
  const handle = await open(file).catch((error: unknown) => {
    throw new OperatorError(`${file} cannot be read: ${messageOf(error)}`, 'failed', { cause: error });
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
    throw new OperatorError(`${place} is not an entry of an export: ${messageOf(error)}`, 'failed', {
      cause: error,
    });
  }
  throw new OperatorError(`${place} is not an entry of an export.`, 'failed');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
