import { grantsOfProcesses } from './grants-of-processes.js';

/**
 * @param prefix of the roles' names, before the name of the process
 * @param isExact whether to revoke the roles' earlier rights first
 * @returns SQL that grants the role of each process exactly the rights that its statements need
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
