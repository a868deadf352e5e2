/** What a rule is about, where the standard has it, and what to do. */
export interface Rule {
  title: string;
  section: string;
  fix: string;
}

/** What to do where times differ. */
export const setClock =
  'Set the clock of the machine that signs (NTP); sign afresh for every request, never ahead of it.';
