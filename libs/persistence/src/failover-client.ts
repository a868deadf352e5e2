import { Client, type ClientConfig } from 'pg';
import type { DatabaseHost } from './database-hosts.js';

/** How long one server has to say whether it takes writes, in milliseconds. */
const probeMilliseconds = 2_000;

/**
 * Which of several servers takes writes: looked up when it is not known, and forgotten as soon as it has failed us. So a
 * process finds the new primary after a fail-over by itself (libpq calls it target_session_attrs=read-write).
 */
class WritableHost {
  readonly #hosts: readonly DatabaseHost[];
  #current: DatabaseHost | undefined;
  #search: Promise<DatabaseHost> | undefined;

  constructor(hosts: readonly DatabaseHost[]) {
    this.#hosts = hosts;
  }

  /**
   * @param access user, password, database and TLS
   * @throws Error when no server takes writes
   */
  async find(access: ClientConfig): Promise<DatabaseHost> {
    if (this.#current) return this.#current;
    this.#search ??= Promise.any(this.#hosts.map((host) => probe(host, access))).finally(() => {
      this.#search = undefined;
    });
    try {
      this.#current = await this.#search;
      return this.#current;
    } catch (cause) {
      throw new Error('No server of the database takes writes', { cause });
    }
  }

  forget(host: DatabaseHost): void {
    if (this.#current === host) this.#current = undefined;
  }
}

async function probe(host: DatabaseHost, access: ClientConfig): Promise<DatabaseHost> {
  const client = new Client({
    ...access,
    ...host,
    connectionString: undefined,
    connectionTimeoutMillis: probeMilliseconds,
    query_timeout: probeMilliseconds,
  });
  client.on('error', ignore);
  try {
    await client.connect();
    await assertWritable(client);
    return host;
  } finally {
    await client.end().catch(ignore);
  }
}

async function assertWritable(client: Client): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only !== 'off') throw new Error('This server of the database takes no writes');
}

function ignore(): void {
  // The failure that matters is the one that connect or query report.
}

/**
 * @param hosts the servers of one database, at least two
 * @returns the class of clients for a pool: each connects to the server that takes writes at that moment
 */
export function createFailoverClient(hosts: readonly DatabaseHost[]): typeof Client {
  const writable = new WritableHost(hosts);
  return class FailoverClient extends Client {
    readonly #access: ClientConfig;

    constructor(config?: string | ClientConfig) {
      super(config);
      const { user, password, database, ssl } = this;
      this.#access = { user, password: password ?? undefined, database, ssl } as ClientConfig;
    }

    override connect(): Promise<Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    override connect(callback?: (error: never, client: Client) => void): Promise<Client> | void {
      if (callback === undefined) return this.#connect();
      void this.#connectAndTell(callback as (error: unknown, client: Client) => void);
    }

    async #connectAndTell(done: (error: unknown, client: Client) => void): Promise<void> {
      let failure: unknown = null;
      try {
        await this.#connect();
      } catch (error) {
        failure = error;
      }
      done(failure, this);
    }

    async #connect(): Promise<Client> {
      const found = await writable.find(this.#access);
      // Where a connection of the driver's goes is decided here, when it is opened.
      Object.assign(this, found);
      // A server that goes away takes its idle connections with it.
      this.on('error', () => writable.forget(found));
      try {
        await super.connect();
        await assertWritable(this);
        return this;
      } catch (error) {
        writable.forget(found);
        // The pool lets go of a client that could not connect, but does not close what was opened.
        await this.end().catch(ignore);
        throw error;
      }
    }
  };
}
