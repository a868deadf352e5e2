import { Client, type ClientConfig } from 'pg';
import type { DatabaseHost } from './database-hosts.js';
import { ServersOfDatabase, type ServerReport } from './servers-of-database.js';

/** Pause between two looks at all servers while there are connections, in milliseconds. */
const watchMilliseconds = 5_000;

/**
 * @param hosts the servers of one database, at least two
 * @param onReport is told when what is wrong with the servers changes
 * @returns the class of clients for a pool: each connects to the server that takes writes at that moment. While there are connections the
 *   others are looked at, too: where a newer primary turns up, those to the older one are ended.
 */
export function createFailoverClient(
  hosts: readonly DatabaseHost[],
  onReport: (report: ServerReport) => void = () => undefined,
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
    timer ??= setInterval(() => void look(access), watchMilliseconds).unref();
  };
  const leave = (client: Client): void => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
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
      const found = await servers.find(this.#access);
      // Where a connection of the driver's goes is decided here, when it is opened.
      Object.assign(this, found);
      // A server that goes away takes its idle connections with it.
      this.on('error', () => servers.forget(found));
      this.once('end', () => leave(this));
      try {
        await super.connect();
        await servers.assertCurrent(this, found);
        open.set(this, found);
        watch(this.#access);
        return this;
      } catch (error) {
        servers.forget(found);
        // The pool lets go of a client that could not connect, but does not close what was opened.
        await this.end().catch(() => undefined);
        throw error;
      }
    }
  };
}

/** Whatever is under way on it must not be acknowledged any more. */
function endAtOnce(client: Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } };
  connection.stream.destroy();
}
