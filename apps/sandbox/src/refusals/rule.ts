/** What a rule is about, where the standard has it, and what to do. */
export interface Rule {
  title: string;
  section: string;
  fix: string;
}

/** What to do where times differ. */
export const setClock =
  'Synchronise the clock of the signing machine (NTP). Sign again for every request, never in advance.';
