import type { Pool } from 'pg';

/** Whose statements record their own changes. */
const processes = ['api', 'authorize', 'token', 'worker', 'operator', 'housekeeping'];

/**
 * From now on a statement of this program fails that leaves a record to a bridge, which is there for older programs.
 * What a test itself does in the database has no such name, and what a bridge does is a bridge's.
 * @param database migrated; of a superuser
 * @returns the triggers that nothing may set off any more
 */
export async function refuseBridges(database: Pool): Promise<string[]> {
  await database.query(`
    CREATE OR REPLACE FUNCTION refuse_bridge() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF current_setting('application_name') = ANY ('{${processes.join(',')}}') AND pg_trigger_depth() = 1 THEN
        RAISE EXCEPTION 'A statement left its record to the bridge %.', TG_NAME;
      END IF;
      RETURN NULL;
    END $$`);
  const { rows } = await database.query<{ name: string; sql: string }>(
    `SELECT tgname AS name, pg_get_triggerdef(pg_trigger.oid) AS sql FROM pg_trigger
      WHERE NOT tgisinternal AND tgtype & 1 = 1 AND pg_get_triggerdef(pg_trigger.oid) LIKE '%revision%' ORDER BY tgname`,
  );
  for (const { name, sql } of rows) {
    const [definition = ''] = sql.split(' EXECUTE FUNCTION ');
    await database.query(`${definition.replace(name, `refused_${name}`)} EXECUTE FUNCTION refuse_bridge()`);
  }
  return rows.map(({ name }) => name);
}
