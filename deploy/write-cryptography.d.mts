import type { Taken } from '#libs/config';

interface Settings {
  allSettings: readonly Taken[];
  settingsOfProcesses: Readonly<Record<string, readonly Taken[]>>;
}

/** Something that is done with an algorithm, as the code beside it says. */
export interface CryptographicUse {
  algorithm: string;
  /** settings, or whose key it is */
  key: string;
  purpose: string;
  path: string;
}
/** every use in the code, and the files that say nothing of theirs */
export function readCryptography(): { uses: CryptographicUse[]; untold: string[] };
/** the settings that hold keys */
export function readKeys(settings: Settings): { name: string; rotation: string; processes: string[] }[];
export function createCryptographyPage(settings: Settings): string;
