import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import {
  approvalEventId,
  countApprovalEvent,
  eraseAuditEvents,
  findFundsQuestions,
  findLastFundsQuestions,
  KeysRecord,
  readAuditTrail,
  sealAuditEvents,
  type NewSeal,
  type TrailVerdict,
  verifyAuditTrail,
} from '#libs/audit';
import { Clock, type Config } from '#libs/config';
import { keyThumbprint, parseSigningKeys, type SigningKey } from '#libs/jws';
import { type Database, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import { runAuditCommand } from '../support/apps/operator-app.js';
import { aCertificate } from '../support/certificates.js';
import { migratedDatabase, type RunDatabase } from '../support/run-database.js';
import { openTestPool } from '../support/open-test-pool.js';

async function aSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [key] = await parseSigningKeys({ keys: [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'PS256' }] });
  if (key === undefined) throw new Error('There is no key.');
  return key;
}

const key = await aSigningKey('bank-1');
const trustedKeys = new Set([await keyThumbprint(key.publicKey)]);
let directory: string;
let runDatabase: RunDatabase;
let url: string;
let pool: Pool;

const runnerOn = (connection: Pool | PoolClient): StatementRunner => ({
  applicationName: 'audit-trail.int-spec',
  query: (name, text, parameters) => connection.query({ name, text, values: [...parameters] }),
});

async function inTransaction<Result>(work: (runner: StatementRunner) => Promise<Result>): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.query('BEGIN');
    const result = await work(runnerOn(connection));
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK');
    throw error;
  } finally {
    connection.release();
  }
}

const seal = (signer = key): Promise<NewSeal | undefined> =>
  inTransaction((runner) => sealAuditEvents(runner, { key: signer, limit: 1_000, now: new Date() }));

/** A runner that acts as if it had the lock, which another one holds. */
const withoutLock = (runner: StatementRunner): StatementRunner => ({
  ...runner,
  query: (name, text, parameters) =>
    name === 'try-sealing-lock'
      ? runner.query('no-sealing-lock', 'SELECT true AS is_mine', [])
      : runner.query(name, text, parameters),
});
const withLock = (runner: StatementRunner): StatementRunner => runner;
const sealAs = (change: (runner: StatementRunner) => StatementRunner): Promise<NewSeal | undefined> =>
  inTransaction((runner) => sealAuditEvents(change(runner), { key, limit: 1_000, now: new Date() }));

async function write(count: number, occurredAt = new Date()): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const details = { index, nested: { b: 1, a: ['x'] } };
    await recordAuditEvent(runnerOn(pool), { actor: 'olivia', action: 'test.done', details, occurredAt });
  }
}

const verify = (expectations: Partial<Parameters<typeof verifyAuditTrail>[1]> = {}): Promise<TrailVerdict> =>
  verifyAuditTrail(readAuditTrail(runnerOn(pool)), { trustedKeys, now: new Date(), ...expectations });

/** What somebody with all rights on the database can do. */
async function tamper(sql: string, parameters: unknown[] = []): Promise<void> {
  const connection = await pool.connect();
  try {
    await connection.query('SET session_replication_role = replica');
    await connection.query(sql, parameters);
  } finally {
    await connection.query('RESET session_replication_role');
    connection.release();
  }
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'audit-trail-'));
  runDatabase = await migratedDatabase();
  ({ url } = runDatabase);
  pool = openTestPool({ connectionString: url, max: 4, application_name: 'test' });
});

afterAll(async () => {
  await pool?.end();
  await runDatabase?.drop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  await tamper('TRUNCATE audit_events, audit_seals');
});

it('the trail is read to its end, however many events wait for a seal', async () => {
  await pool.query(
    `INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
     SELECT gen_random_uuid(), now(), 'olivia', 'test.done', '{}' FROM generate_series(1, 100001)`,
  );
  expect(await verify()).toMatchObject({ verdict: 'intact', unsealed: 100_001 });
});

describe('sealing', () => {
  it('covers every event once, seal after seal', async () => {
    expect(await seal()).toBeUndefined();
    await write(3);
    expect(await seal()).toMatchObject({ number: 1, count: 3 });
    await write(2);
    expect(await seal()).toMatchObject({ number: 2, count: 2 });
    await write(1);
    expect(await verify()).toMatchObject({ verdict: 'intact', seals: 2, events: 5, unsealed: 1, head: { number: 2 } });
  });

  it('delays no writer, and seals later commits later', async () => {
    const writer = await pool.connect();
    await writer.query('BEGIN');
    const early = { actor: 'a', action: 'test.slow', details: {}, occurredAt: new Date(Date.now() - 1_000) };
    await recordAuditEvent(runnerOn(writer), early);
    await write(1);
    expect(await seal()).toMatchObject({ number: 1, count: 1 });
    await writer.query('COMMIT');
    writer.release();
    expect(await seal()).toMatchObject({ number: 2, count: 1 });
    expect(await verify()).toMatchObject({ verdict: 'intact', events: 2 });
  });

  it('is done by one worker at a time', async () => {
    await write(20);
    const seals = await Promise.all([seal(), seal(), seal()]);
    expect(seals.filter((made) => made !== undefined)).toHaveLength(1);
    expect(await verify()).toMatchObject({ verdict: 'intact', seals: 1, events: 20 });
  });

  describe('sealing by two workers at once, whatever became of the lock,', () => {
    it.each([
      ['without the lock', withoutLock, withLock, 'find-last-seal'],
      ['without the lock', withoutLock, withLock, 'note-sealed-events'],
      ['with the lock', withLock, withoutLock, 'find-last-seal'],
      ['with the lock', withLock, withoutLock, 'note-sealed-events'],
    ])('is refused to the one %s if the other has sealed meanwhile (%#)', async (_which, first, second, moment) => {
      await write(3);
      const interrupted = sealAs((runner) => ({
        ...first(runner),
        query: async (name, text, parameters) => {
          if (name === moment) expect(await sealAs(second)).toMatchObject({ number: 1, count: 3 });
          return first(runner).query(name, text, parameters);
        },
      }));
      await expect(interrupted).rejects.toThrow('append-only');
      await write(2);
      expect(await sealAs(first)).toMatchObject({ number: 2, count: 2 });
      expect(await verify()).toMatchObject({ verdict: 'intact', seals: 2, events: 5, unsealed: 0 });
    });
  });

  it('continues under a new key; the last seal’s key must be trusted', async () => {
    await write(1);
    await seal();
    const next = await aSigningKey('bank-2');
    await write(1);
    await seal(next);
    expect(await verify({ trustedKeys: new Set([await keyThumbprint(next.publicKey)]) })).toMatchObject({
      verdict: 'intact',
    });
    expect(await verify()).toMatchObject({ verdict: 'broken', place: 'seal 2' });
  });
});

describe('the table of audit events', () => {
  it.each([
    `UPDATE audit_events SET actor = 'x'`,
    `UPDATE audit_events SET actor = 'x', seal_number = 1, seal_position = 1, event_hash = 'x'`,
    `UPDATE audit_events SET seal_position = 1, event_hash = 'x'`,
    `UPDATE audit_events SET seal_number = 1, event_hash = 'x'`,
    'UPDATE audit_events SET seal_number = 1, seal_position = 1',
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
    `UPDATE audit_seals SET seal = 'x'`,
    'DELETE FROM audit_seals',
    'TRUNCATE audit_seals',
  ])('refuses %s', async (sql) => {
    await write(1);
    // Both in one call are one transaction: the invalid seal is rolled back with it.
    const withSeal = `INSERT INTO audit_seals VALUES (1000000, now(), ''); ${sql}`;
    await expect(pool.query(withSeal)).rejects.toThrow('append-only');
  });

  it('refuses to seal an event twice', async () => {
    await write(1);
    await seal();
    await expect(pool.query('UPDATE audit_events SET seal_number = 2')).rejects.toThrow('append-only');
    await expect(pool.query('UPDATE audit_events SET seal_number = NULL')).rejects.toThrow('append-only');
  });
});

describe('verifying', () => {
  let events: { event_id: string; seal_number: string; seal_position: number }[];

  beforeEach(async () => {
    for (let number = 1; number <= 3; number += 1) {
      await write(4);
      await seal();
    }
    events = (
      await pool.query<(typeof events)[number]>(
        'SELECT event_id, seal_number, seal_position FROM audit_events ORDER BY seal_number, seal_position',
      )
    ).rows;
    expect(await verify()).toMatchObject({ verdict: 'intact', seals: 3, events: 12 });
  });

  const idOf = (number: number, position: number): string =>
    events.find((event) => Number(event.seal_number) === number && event.seal_position === position)?.event_id ?? '';

  it.each([`actor = 'mallory'`, `occurred_at = occurred_at + interval '1 microsecond'`, `details = '{"index": 7}'`])(
    'names an event whose %s was set',
    async (change) => {
      await tamper(`UPDATE audit_events SET ${change} WHERE event_id = $1`, [idOf(2, 3)]);
      expect(await verify()).toEqual({
        verdict: 'broken',
        place: `event ${idOf(2, 3)} (seal 2, position 3)`,
        reason: 'it differs from what was sealed',
      });
    },
  );

  it.each([1, 3, 4])('names the place of a removed event (%d)', async (position) => {
    await tamper('DELETE FROM audit_events WHERE event_id = $1', [idOf(2, position)]);
    expect(await verify()).toMatchObject({ verdict: 'broken', place: `seal 2, position ${position}` });
  });

  it('finds an event that was replaced together with its hash', async () => {
    await tamper(
      `UPDATE audit_events SET (actor, event_hash, event_id, details, action, occurred_at) = (
         SELECT actor, event_hash, gen_random_uuid(), details, action, occurred_at FROM audit_events WHERE event_id = $2)
       WHERE event_id = $1`,
      [idOf(2, 2), idOf(3, 2)],
    );
    expect(await verify()).toMatchObject({ verdict: 'broken', place: expect.stringContaining('seal 2') });
  });

  it('finds an event that was inserted among the sealed ones', async () => {
    await tamper(
      `INSERT INTO audit_events (event_id, occurred_at, actor, action, details, seal_number, seal_position, event_hash)
       SELECT gen_random_uuid(), occurred_at, actor, action, details, 2, 5, event_hash FROM audit_events WHERE event_id = $1`,
      [idOf(2, 4)],
    );
    expect(await verify()).toMatchObject({ verdict: 'broken', place: expect.stringContaining('seal 2') });
  });

  it('finds events that are gone with their seal', async () => {
    await tamper('DELETE FROM audit_seals WHERE seal_number = 2');
    await tamper('DELETE FROM audit_events WHERE seal_number = 2');
    expect(await verify()).toEqual({ verdict: 'broken', place: 'seal 2', reason: 'it is missing: seal 3 comes next' });
  });

  it('finds a seal that is a copy of another', async () => {
    await tamper(
      'UPDATE audit_seals SET seal = (SELECT seal FROM audit_seals WHERE seal_number = 1) WHERE seal_number = 2',
    );
    expect(await verify()).toMatchObject({ verdict: 'broken', place: 'seal 2' });
  });

  it('detects a trail that was rewritten with another key', async () => {
    await tamper(`UPDATE audit_events SET seal_number = NULL, seal_position = NULL, event_hash = NULL`);
    await tamper('DELETE FROM audit_seals');
    await tamper('DELETE FROM audit_events WHERE event_id = $1', [idOf(2, 3)]);
    await seal(await aSigningKey('mallory'));
    expect(await verify()).toMatchObject({ verdict: 'broken', reason: expect.stringContaining('not trusted') });
  });

  it('finds a trail that was cut short, against a seal noted earlier', async () => {
    const intact = await verify();
    const head = intact.verdict === 'intact' ? intact.head : undefined;
    await tamper('DELETE FROM audit_seals WHERE seal_number = 3');
    await tamper('DELETE FROM audit_events WHERE seal_number = 3');
    expect(await verify()).toMatchObject({ verdict: 'intact', seals: 2 });
    expect(await verify(head && { head })).toMatchObject({ verdict: 'broken', place: 'seal 3' });
  });

  it('finds events that lost their seals, and those that nobody seals', async () => {
    await tamper('DELETE FROM audit_seals WHERE seal_number = 3');
    expect(await verify()).toMatchObject({ verdict: 'broken', place: `event ${idOf(3, 1)} (seal 3, position 1)` });
    await tamper('UPDATE audit_events SET seal_number = NULL WHERE seal_number = 3');
    expect(await verify({ now: new Date(Date.now() + 3_600_000) })).toMatchObject({
      verdict: 'broken',
      reason: expect.stringContaining('is not sealed'),
    });
  });

  it('leaves no part of an export that fails', async () => {
    const file = join(directory, `${randomUUID()}.ndjson`);
    const elsewhere = new URL(url);
    elsewhere.pathname = '/postgres';
    const failed = runAuditCommand(
      { name: 'audit-export', file },
      { DATABASE_URL: elsewhere.href, DATABASE_TLS: 'any' },
    );
    await expect(failed).rejects.toThrow('audit_');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it('works on an export, without the database', async () => {
    const [file, keys] = [join(directory, `${randomUUID()}.ndjson`), join(directory, 'keys.json')];
    await writeFile(keys, JSON.stringify({ keys: [key.publicJwk] }));
    const exported = await runAuditCommand({ name: 'audit-export', file }, { DATABASE_URL: url, DATABASE_TLS: 'any' });
    expect(exported.outcome).toMatchObject({ entries: 15 });
    const check = () => runAuditCommand({ name: 'audit-verify', keys, file }, {});
    expect(await check()).toMatchObject({ isIntact: true, outcome: { verdict: 'intact', seals: 3, events: 12 } });
    const head = { number: 4, hash: 'noted' };
    expect(await runAuditCommand({ name: 'audit-verify', keys, file, head }, {})).toMatchObject({ isIntact: false });
    expect(
      await runAuditCommand({ name: 'audit-verify', keys }, { DATABASE_URL: url, DATABASE_TLS: 'any' }),
    ).toMatchObject({
      isIntact: true,
    });
    await writeFile(file, (await readFile(file, 'utf8')).replace('olivia', 'oliver'));
    expect(await check()).toMatchObject({
      isIntact: false,
      outcome: { place: `event ${idOf(1, 1)} (seal 1, position 1)` },
    });
  });
});

describe('erasing old events', () => {
  const dayMilliseconds = 86_400_000;
  const erase = (days: number, limit = 5): Promise<number> =>
    inTransaction((runner) =>
      eraseAuditEvents(runner, {
        occurredBefore: new Date(Date.now() - days * dayMilliseconds),
        limit,
        now: new Date(),
      }),
    );

  it('takes whole seals, records that, and leaves an intact trail', async () => {
    for (const days of [800, 700, 100]) {
      await write(3, new Date(Date.now() - days * dayMilliseconds));
      await seal();
    }
    expect(await erase(750)).toBe(3);
    expect(await erase(750)).toBe(0);
    await seal();
    expect(await verify()).toMatchObject({ verdict: 'intact', seals: 4, erasedThrough: 1 });
  });

  it('takes so many seals at most, and none of which an event is too young', async () => {
    for (const days of [820, 810, 800, 700]) {
      await write(3, new Date(Date.now() - days * dayMilliseconds));
      await seal();
    }
    expect([await erase(750, 2), await erase(750, 2), await erase(750, 2)]).toEqual([6, 3, 0]);
  });

  it('is detected if no event records it', async () => {
    for (const days of [800, 700]) {
      await write(3, new Date(Date.now() - days * dayMilliseconds));
      await seal();
    }
    // The database allows it: the events are old. The trail does not.
    await pool.query('DELETE FROM audit_events WHERE seal_number = 1');
    expect(await verify()).toEqual({ verdict: 'broken', place: 'seal 1', reason: 'all of its events are missing' });
  });

  it('is refused by the database for events that nobody has sealed', async () => {
    await write(1, new Date(Date.now() - 800 * dayMilliseconds));
    await expect(pool.query('DELETE FROM audit_events')).rejects.toThrow('append-only');
  });

  it('is refused by the database for events younger than a year', async () => {
    await write(3, new Date(Date.now() - 300 * dayMilliseconds));
    await seal();
    await expect(erase(200)).rejects.toThrow('append-only');
  });
});

describe('questions about the funds of a customer', () => {
  const [consentId, other] = [randomUUID(), randomUUID()];
  const [early, late] = [new Date('2027-01-01T00:00:00Z'), new Date('2027-01-02T00:00:00Z')];

  beforeEach(async () => {
    const questions = [
      ['funds.confirmed', 'alice', consentId, early],
      ['funds.unanswered', 'alice', consentId, late],
      ['funds.confirmed', 'alice', other, early],
      ['funds.confirmed', 'bob', consentId, late],
      ['consent.authorised', 'alice', consentId, new Date('2027-01-03T00:00:00Z')],
    ] as const;
    for (const [action, psuId, ofConsent, occurredAt] of questions)
      await recordAuditEvent(runnerOn(pool), {
        actor: 'api',
        action,
        details: { psuId, consentId: ofConsent, amount: '1.00', currency: 'GBP' },
        occurredAt,
      });
  });

  it.each([
    [null, [late, early, early]],
    [consentId, [late, early]],
    [other, [early]],
    [randomUUID(), []],
  ])('are listed for the customer, of every consent or of one (%#)', async (asked, times) => {
    const { questions, isLast } = await findFundsQuestions(runnerOn(pool), {
      psuId: 'alice',
      consentId: asked,
      page: 0,
    });
    expect(questions.map(({ askedAt }) => askedAt)).toEqual(times);
    expect(isLast).toBe(true);
  });

  it('have a latest one for each consent', async () => {
    expect(await findLastFundsQuestions(runnerOn(pool), 'alice')).toEqual(
      new Map([
        [consentId, late],
        [other, early],
      ]),
    );
  });
});

describe('the event of an approval', () => {
  const consentId = randomUUID();

  it.each([
    ['consent.authorised', 'alice', 'challenge', 1],
    ['consent.rejected', 'alice', 'challenge', 0],
    ['consent.authorised', 'mallory', 'challenge', 0],
    ['consent.authorised', 'alice', 'another challenge', 0],
  ])('is one of this action, customer and challenge: %s, %s, %s', async (action, psuId, challenge, count) => {
    await pool.query(
      `INSERT INTO audit_events (event_id, occurred_at, actor, action, details)
       VALUES (${approvalEventId('$1::text', '$2::text')}, now(), 'authorize', $3, jsonb_build_object('psuId', $4::text))`,
      [consentId, challenge, action, psuId],
    );
    const approval = { action: 'consent.authorised', id: 'approval.consent_id' };
    const { rows } = await pool.query(
      `SELECT ${countApprovalEvent('approval', approval)} AS count
         FROM (VALUES ($1::text, 'alice', 'challenge')) AS approval (consent_id, psu_id, challenge_id)`,
      [consentId],
    );
    expect(rows).toEqual([{ count }]);
  });
});

const [one, two] = await Promise.all(
  ['one', 'two'].map(async (name) => (await aCertificate({ profile: 'authority', name })).certificate),
);

const recorded = async (): Promise<{ actor: string; details: Record<string, unknown> }[]> => {
  const sql = `SELECT actor, details FROM audit_events WHERE action = 'keys.configure' ORDER BY occurred_at`;
  return (await pool.query<{ actor: string; details: Record<string, unknown> }>(sql)).rows;
};
const signing = (kid: string) => ({ signing: { keys: [{ kid, algorithm: 'PS256' }] } });
const secret = (text: string) => ({ id: 'current', key: Buffer.from(text) });

describe('the keys of a process', () => {
  let time = Date.now();
  const clock = Object.assign(new Clock(), { now: () => new Date((time += 1_000)) });
  const start = (actor: string, keys: object, settings: readonly string[]): Promise<void> => {
    const database = { ...runnerOn(pool), applicationName: actor } as unknown as Database;
    const config = { reads: (setting: string) => settings.includes(setting), ...keys } as unknown as Config;
    return new KeysRecord(database, config, clock).onApplicationBootstrap();
  };
  /** Of each setting: what the audit event calls it, and the configuration before and after a change. */
  const settingsOf: Readonly<Record<string, readonly [name: string, before: object, after: object]>> = {
    SIGNING_KEYS: ['signing', signing('a'), signing('b')],
    CLIENT_SECRET_ENCRYPTION_KEYS: [
      'clientSecretEncryption',
      { secrets: { clientSecretEncryptionKeys: [{ id: 'a' }] } },
      { secrets: { clientSecretEncryptionKeys: [{ id: 'b' }] } },
    ],
    CLIENT_SECRET_PEPPER: [
      'clientSecretPepper',
      { secrets: { clientSecretPeppers: [secret('a')] } },
      { secrets: { clientSecretPeppers: [secret('b')] } },
    ],
    PAIRWISE_SUBJECT_KEY: [
      'pairwiseSubject',
      { secrets: { pairwiseSubjectKey: secret('a') } },
      { secrets: { pairwiseSubjectKey: secret('b') } },
    ],
    SESSION_KEYS: [
      'sessions',
      { secrets: { sessionKeys: [secret('a')] } },
      { secrets: { sessionKeys: [secret('b')] } },
    ],
    TLS_CERTIFICATE: ['tlsCertificate', { tls: { certificate: one } }, { tls: { certificate: two } }],
    BANK_CLIENT_CERTIFICATE: [
      'bankClientCertificate',
      { bank: { clientCertificate: one } },
      { bank: { clientCertificate: two } },
    ],
    CLIENT_TRUST_ANCHORS: [
      'clientTrustAnchors',
      { tls: { clientTrustAnchors: [one] } },
      { tls: { clientTrustAnchors: [one, two] } },
    ],
  };

  it.each(Object.entries(settingsOf))(
    'of %s are recorded when they have changed, under the same id too',
    async (setting, [name, before, after]) => {
      for (const keys of [before, before, after]) await start('token', keys, [setting]);
      const events = await recorded();
      expect(events.map(({ details }) => Object.keys(details))).toEqual([[name], [name]]);
      expect(events[0]?.details).not.toEqual(events[1]?.details);
    },
  );

  it('are recorded for each process by itself, if they are others than at its last start', async () => {
    const settings = ['SIGNING_KEYS'];
    await start('token', signing('a'), settings);
    await start('api', signing('a'), settings);
    await start('token', signing('b'), settings);
    await start('token', signing('a'), settings);
    const other = { actor: 'token', action: 'test.done', details: {}, occurredAt: clock.now() };
    await recordAuditEvent(runnerOn(pool), other);
    await start('token', signing('a'), settings);
    expect((await recorded()).map(({ actor }) => actor)).toEqual(['token', 'api', 'token', 'token']);
  });

  it('are left out where there are none, and prevent no start while the database is away', async () => {
    await start('worker', { tls: {} }, ['TLS_CERTIFICATE']);
    expect(await recorded()).toEqual([{ actor: 'worker', details: {} }]);
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const away = { query: () => Promise.reject(new Error('away')), applicationName: 'worker' };
    const config = { reads: () => false } as unknown as Config;
    await new KeysRecord(away as unknown as Database, config, clock).onApplicationBootstrap();
    expect(error).toHaveBeenCalled();
    error.mockRestore();
  });
});
