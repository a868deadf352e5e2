import { Client } from 'pg';
import { Config } from '#libs/config';
import type { Telemetry } from '#libs/telemetry';
import type { SandboxApps } from './apps/start-sandbox.js';
import { printGrants } from './apps/postgres.js';

const processes = ['authorize', 'token', 'api', 'worker', 'operator'] as const;
export type ProcessWithRole = (typeof processes)[number];

type Create<App> = (config: Config, clock: undefined, telemetry: Telemetry) => Promise<App>;

const prefix = 'test_';
const password = 'of-the-test';

/**
 * Makes a role for each process, with the rights that `npm run migrate -- grants` prints and no others.
 * @param databaseUrl of a superuser; migrated
 */
export async function createDatabaseRoles(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
    for (const process of processes) {
      if (rows.some(({ name }) => name === `${prefix}${process}`)) continue;
      await client.query(`CREATE ROLE ${prefix}${process} LOGIN PASSWORD '${password}'`);
    }
    await client.query(printGrants({ prefix, isExact: true }));
  } finally {
    await client.end();
  }
}

/** @returns the address of the same database for the role of a process */
export function urlOfRole(databaseUrl: string, process: ProcessWithRole): string {
  const url = new URL(databaseUrl);
  url.username = `${prefix}${process}`;
  url.password = password;
  return url.href;
}

/** @returns the same programs, each of which uses the database under its own role */
export function withRoles(apps: Partial<SandboxApps>): Partial<SandboxApps> {
  let roles: Promise<void> | undefined;
  const underRole =
    <App>(process: ProcessWithRole, create: Create<App>): Create<App> =>
    async (config, ...rest) => {
      const { database } = config;
      await (roles ??= createDatabaseRoles(database.url));
      return create(
        new Config({ ...config, database: { ...database, url: urlOfRole(database.url, process) } }),
        ...rest,
      );
    };
  const { authorize, token, api, worker } = apps;
  return {
    ...(authorize && { authorize: underRole('authorize', authorize) }),
    ...(token && { token: underRole('token', token) }),
    ...(api && { api: underRole('api', api) }),
    ...(worker && { worker: underRole('worker', worker) }),
  };
}
