/** A setting of the service, as its declaration has it. */
export interface Setting {
  name: string;
  section: string;
  meaning: string;
  values: string;
  default: string;
  isRequired: boolean;
  isSecret: boolean;
  mayBeFile: boolean;
  /** how a key is changed; empty for what is none */
  rotation: string;
}
export function readSettings(): Setting[];
export function createPage(settings?: Setting[]): string;
export function createProcessTable(): string;
export function isDemanded(setting: Setting, process: string): boolean;
