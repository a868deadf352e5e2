import { Pool } from 'pg';
import { parseDatabaseHosts } from './database-hosts.js';
import { createFailoverClient } from './failover-client.js';

/**
 * Opens connections for a command, without the data source of the applications; the caller ends them.
 * @param url postgres:// URL, which may name several servers of which one takes writes
 * @param options.max most connections
 * @param options.applicationName shown in pg_stat_activity, and as the actor of audit events
 * @throws TypeError when it is no such URL
 */
export function openPool(url: string, options: { max: number; applicationName: string }): Pool {
  const { max, applicationName } = options;
  const { hosts, firstUrl } = parseDatabaseHosts(url);
  const Client = hosts.length > 1 ? { Client: createFailoverClient(hosts) } : {};
  return new Pool({ connectionString: firstUrl, max, application_name: applicationName, ...Client });
}
