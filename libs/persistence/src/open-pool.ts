import { Pool } from 'pg';
import { parseDatabaseHosts } from './database-hosts.js';
import { createFailoverClient } from './failover-client.js';

/**
 * Opens connections for a command, without the data source of the applications; the caller ends them.
 * @param url postgres:// URL, which may name several servers of which one takes writes
 * @param options.max most connections
 */
export function openPool(url: string, { max }: { max: number }): Pool {
  const { hosts, firstUrl } = parseDatabaseHosts(url);
  const Client = hosts.length > 1 ? { Client: createFailoverClient(hosts) } : {};
  return new Pool({ connectionString: firstUrl, max, ...Client });
}
