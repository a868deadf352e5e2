import type { Taken } from '#libs/config';

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
export function readSettings(taken: readonly Taken[]): Setting[];
export function readReaders(settingsOfProcesses: Readonly<Record<string, readonly Taken[]>>): Record<string, string[]>;
export function createPage(settings: readonly Setting[], readers: Readonly<Record<string, string[]>>): string;
export function createNames(settings: readonly Setting[]): string;
export function isDemanded(setting: Setting, process: string): boolean;
