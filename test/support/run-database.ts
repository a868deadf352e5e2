import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface RunDatabase {
  /** postgres:// URL, of a superuser */
  url: string;
  /** for the end of the suite, after its last connection */
  drop(): Promise<void>;
}

/** @returns a database with our schema for one suite, on the PostgreSQL of this run */
export const migratedDatabase = (): Promise<RunDatabase> => copyDatabase('open_banking');

/** @returns a database without tables */
export const emptyDatabase = (): Promise<RunDatabase> => copyDatabase('template1');

async function copyDatabase(template: string): Promise<RunDatabase> {
  const answer = await fetch(process.env['TEST_RUN_POSTGRES'] ?? '');
  const server = await answer.text();
  if (!answer.ok) throw new Error(`The PostgreSQL of this run does not start: ${server}`);
  const name = `suite_${randomUUID().replaceAll('-', '')}`;
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // PostgreSQL waits some seconds for connections that are being closed.
  return { url: url.href, drop: () => runStatement(server, `DROP DATABASE ${name}`) };
}

async function runStatement(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
