import { Client, type ClientConfig } from 'pg';
import type { DatabaseHost } from './database-hosts.js';

/** Time for a server to report its role, in milliseconds. */
const probeMilliseconds = 2_000;

export interface ServerReport {
  /** one message for each server that accepts writes but must not be used */
  readonly outdated: readonly string[];
}

/** Nothing can be written: no server accepts writes, or the one that does must not be used. */
class NoPrimaryError extends Error {
  /** PostgreSQL's cannot_connect_now: for the caller, the database is unavailable */
  readonly code = '57P03';
}

/** A server that accepts writes. */
interface Writable {
  readonly host: DatabaseHost;
  /** grows by one with each promotion; undefined if the engine has none */
  readonly timeline: number | undefined;
  /** the same for all servers of one database */
  readonly system: string | undefined;
  /** when it was started; differs between servers, and is the same for two addresses of one server */
  readonly startedAt: string | undefined;
}

/**
 * The timeline is that of the write-ahead log, which a promotion changes at once; that of the last checkpoint changes
 * later.
 */
const whatItIsSql = `
  SELECT current_setting('transaction_read_only') AS transaction_read_only,
    CASE WHEN NOT pg_is_in_recovery() THEN substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) END AS timeline,
    (SELECT system_identifier::text FROM pg_control_system()) AS system,
      pg_postmaster_start_time()::text AS started_at`;
/** An engine or a role that cannot say more: undefined_function, insufficient_privilege, feature_not_supported. */
const cannotSay = ['42883', '42501', '0A000'];

/**
 * Which of several servers accepts writes: looked up if unknown, and forgotten as soon as it fails. So a process finds
 * the new primary after a failover (target_session_attrs=read-write in libpq).
 *
 * A promotion starts a new timeline. If the old primary was not fenced, two servers accept writes: the one with the
 * newest timeline is used. A server behind a timeline seen before is refused even if no other answers, and so is one of
 * another database. If two standbys were promoted, both are on the same timeline: the one listed first is used.
 *
 * A single address may move from server to server: each new connection is checked in the same way.
 */
export class ServersOfDatabase {
  #current: DatabaseHost | undefined;
  #search: Promise<DatabaseHost> | undefined;
  #newestTimeline = 0;
  #system: string | undefined;
  #reported = '';

  constructor(
    private readonly hosts: readonly DatabaseHost[],
    private readonly onReport: (report: ServerReport) => void,
  ) {}

  /**
   * @param access user, password, database and TLS
   * @throws NoPrimaryError if no server may be written to
   */
  async find(access: ClientConfig): Promise<DatabaseHost> {
    const [only, other] = this.hosts;
    if (only !== undefined && other === undefined) return only;
    return this.#current ?? this.#searchAll(access);
  }

  /** @returns the server to use, after checking all; undefined if there is none */
  async lookAgain(access: ClientConfig): Promise<DatabaseHost | undefined> {
    return this.#searchAll(access).catch(() => undefined);
  }

  forget(host: DatabaseHost): void {
    if (this.#current === host) this.#current = undefined;
  }

  /** @throws NoPrimaryError if the server that this client has reached is not the one to write to */
  async assertCurrent(client: Client, host: DatabaseHost): Promise<void> {
    const writable = await ask(client, host);
    if (writable === undefined) {
      // A single server may be a replica, for those who only read.
      if (this.hosts.length === 1) return;
      throw new NoPrimaryError('This server of the database does not accept writes');
    }
    this.#learn([writable]);
    const fault = this.#faultOf(writable);
    if (fault !== undefined) throw new NoPrimaryError(fault);
  }

  #searchAll(access: ClientConfig): Promise<DatabaseHost> {
    this.#search ??= this.#choose(access).finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  async #choose(access: ClientConfig): Promise<DatabaseHost> {
    const answers = await Promise.allSettled(this.hosts.map((host) => probe(host, access)));
    const writable = answers.flatMap((answer) =>
      answer.status === 'fulfilled' && answer.value !== undefined ? [answer.value] : [],
    );
    this.#learn(writable);
    const [best] = writable.filter((server) => this.#faultOf(server) === undefined);
    const outdated = writable.flatMap((server) => this.#faultOf(server) ?? twinOf(server, best) ?? []);
    this.#report({ outdated });
    this.#current = best?.host;
    if (best !== undefined) return best.host;
    throw new NoPrimaryError(outdated[0] ?? 'No server of the database accepts writes', {
      cause: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))[0],
    });
  }

  /** The database seen first is used, and of that the newest timeline. */
  #learn(writable: readonly Writable[]): void {
    for (const { system } of writable) this.#system ??= system;
    for (const { system, timeline = 0 } of writable) {
      if (system === this.#system) this.#newestTimeline = Math.max(this.#newestTimeline, timeline);
    }
  }

  #faultOf({ host, timeline, system }: Writable): string | undefined {
    const name = `${host.host}:${host.port}`;
    if (system !== undefined && this.#system !== undefined && system !== this.#system) {
      const difference = `system identifier ${system}, not ${this.#system}`;
      return `${name} accepts writes, but belongs to another database (${difference})`;
    }
    if (timeline !== undefined && timeline < this.#newestTimeline) {
      const newest = this.#newestTimeline;
      return `${name} accepts writes on timeline ${timeline}, but there is a newer one, ${newest}: fence it`;
    }
    return undefined;
  }

  #report(report: ServerReport): void {
    const words = report.outdated.join('\n');
    if (words === this.#reported) return;
    this.#reported = words;
    this.onReport(report);
  }
}

/** @returns what is wrong with a server that was promoted as well as the one that is used */
function twinOf({ host, startedAt }: Writable, used: Writable | undefined): string | undefined {
  if (used === undefined || startedAt === used.startedAt) return undefined;
  return (
    `${host.host}:${host.port} accepts writes on the same timeline as ${used.host.host}:${used.host.port}, which is ` +
    'used: fence it'
  );
}

/** Ends a connection on which nothing is under way; at once if its server does not answer any more. */
export async function leave(client: Client): Promise<void> {
  const patience = setTimeout(() => endAtOnce(client), probeMilliseconds);
  await client.end().catch(() => undefined);
  clearTimeout(patience);
}

/** Closes a connection without a word to its server. Statements in progress must no longer be acknowledged. */
export function endAtOnce(client: Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } };
  connection.stream.destroy();
}

/** @returns undefined if it does not accept writes */
async function probe(host: DatabaseHost, access: ClientConfig): Promise<Writable | undefined> {
  const client = new Client({
    ...access,
    ...host,
    connectionString: undefined,
    connectionTimeoutMillis: probeMilliseconds,
    query_timeout: probeMilliseconds,
  });
  client.on('error', () => undefined); // connect and query report what matters
  try {
    await client.connect();
    return await ask(client, host);
  } finally {
    await leave(client);
  }
}

async function ask(client: Client, host: DatabaseHost): Promise<Writable | undefined> {
  const answer = await askAll(client);
  if (answer?.transaction_read_only !== 'off') return undefined;
  const { timeline, system, started_at: startedAt } = answer;
  return {
    host,
    timeline: typeof timeline === 'string' ? Number.parseInt(timeline, 16) : undefined,
    system: system ?? undefined,
    startedAt,
  };
}

interface Answer {
  readonly transaction_read_only: string;
  readonly timeline?: string | null;
  readonly system?: string | null;
  readonly started_at?: string;
}

async function askAll(client: Client): Promise<Answer | undefined> {
  try {
    return (await client.query<Answer>(whatItIsSql)).rows[0];
  } catch (error) {
    if (!cannotSay.includes(String(Reflect.get(error as object, 'code')))) throw error;
    return (await client.query<Answer>('SHOW transaction_read_only')).rows[0];
  }
}
