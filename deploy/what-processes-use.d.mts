/** What a process comes to use. */
export interface ProcessUse {
  /** names of statements, or the file in which they are put together */
  statements: string[];
  /** tables of entities, which are read without a named statement */
  tables: string[];
}
export const programs: Readonly<Record<string, string>>;
export function findWhatProcessesUse(): Record<string, ProcessUse>;
