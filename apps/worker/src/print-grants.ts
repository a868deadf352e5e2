import { grantsOfProcesses } from './grants-of-processes.js';

/**
 * @param prefix of the roles' names, before the name of the process
 * @param isExact whether what the roles had before is taken from them first
 * @returns SQL that gives each process' role what its statements need, and no more
 */
export function printGrants({ prefix, isExact }: { prefix: string; isExact: boolean }): string {
  const processes = Object.entries(grantsOfProcesses);
  const roles = processes.map(([process]) => `${prefix}${process}`).join(', ');
  return [
    'BEGIN;',
    ...(isExact ? [`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${roles};`] : []),
    ...processes.flatMap(([process, tables]) =>
      Object.entries(tables).map(([table, rights]) => `GRANT ${rights} ON ${table} TO ${prefix}${process};`),
    ),
    'COMMIT;',
  ].join('\n');
}
