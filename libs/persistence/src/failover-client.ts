import { Client, type ClientConfig } from 'pg';
import type { DatabaseHost } from './database-hosts.js';
import { endAtOnce, leave, ServersOfDatabase, type ServerReport } from './servers-of-database.js';

/**
 * Settings that statements rely on, whatever the server, database or role sets. Sent when connecting, because PgBouncer
 * understands neither `options` nor SET.
 */
const sessionSettings = {
  datestyle: 'ISO, MDY',
  timezone: 'UTC',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  // Statements find rows by keys, whatever the values are. With `auto`, PostgreSQL plans those on short lists anew each
  // time, which takes as long as the statement itself.
  plan_cache_mode: 'force_generic_plan',
  // For unknown values PostgreSQL expects so many rows that it would compile some plans to machine code, anew at each
  // execution: thirty milliseconds for a list that takes one to read.
  jit: 'off',
};

/** Citus asks several nodes only with a plan for the values. */
const distributedSettings = { ...sessionSettings, plan_cache_mode: 'auto' };

/** Pause between checks of all servers while there are connections, in milliseconds. */
const watchMilliseconds = 5_000;

/**
 * @param hosts the servers of one database, or the one address that they share
 * @param onReport called when the faults of the servers change
 * @param distributed whether rows are distributed over several servers
 * @returns the class of clients for a pool: each connects to the server that currently accepts writes. While there are
 * connections, the other servers are checked too; if a newer primary appears, connections to the older one are closed.
 */
// oxlint-disable-next-line max-lines-per-function -- a class that knows the servers
export function createFailoverClient(
  hosts: readonly DatabaseHost[],
  onReport: (report: ServerReport) => void = () => undefined,
  distributed = false,
): typeof Client {
  const servers = new ServersOfDatabase(hosts, onReport);
  const open = new Map<Client, DatabaseHost>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (access: ClientConfig): Promise<void> => {
    const current = await servers.lookAgain(access);
    if (current === undefined) return;
    for (const [client, host] of open) if (host !== current) endAtOnce(client);
  };
  const watch = (access: ClientConfig): void => {
    if (hosts.length === 1) return;
    timer ??= setInterval(() => void look(access), watchMilliseconds).unref();
  };
  const close = (client: Client): void => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return class FailoverClient extends Client {
    readonly #access: ClientConfig;

    constructor(config?: string | ClientConfig) {
      super(config);
      // The connection has the same object. Without the member NODE_TLS_REJECT_UNAUTHORIZED would decide.
      const tls: unknown = this.ssl;
      if (typeof tls === 'object' && tls !== null) Object.assign(tls, { rejectUnauthorized: true, ...tls });
      const { user, password, database, ssl } = this;
      this.#access = { user, password: password ?? undefined, database, ssl };
    }

    /** Called by the driver. */
    getStartupConf(): object {
      const inherited = Reflect.get(Client.prototype, 'getStartupConf') as () => object;
      return { ...inherited.call(this), ...(distributed ? distributedSettings : sessionSettings) };
    }

    override connect(): Promise<Client>;
    override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void;
    override connect(callback?: (error: never, client: Client) => void): Promise<Client> | void {
      if (callback === undefined) return this.#connect();
      // oxlint-disable-next-line typescript/no-floating-promises -- the callback is told
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
      const found = await servers.find(this.#access);
      // The host and port that the driver connects to.
      Object.assign(this, found);
      // An unavailable server loses its idle connections.
      this.on('error', () => servers.forget(found));
      this.once('end', () => close(this));
      try {
        await super.connect();
        await servers.assertCurrent(this, found);
        open.set(this, found);
        watch(this.#access);
        return this;
      } catch (error) {
        servers.forget(found);
        // The pool drops a client that could not connect, but does not close its socket.
        await leave(this);
        throw error;
      }
    }
  };
}
