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
export function readKeys(): { name: string; rotation: string; processes: string[] }[];
export function createCryptographyPage(): string;
