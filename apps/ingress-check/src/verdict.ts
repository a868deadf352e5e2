/** The listeners that are attacked, each with its own profile: one-way, mutual, and mutual but for discovery. */
export type Profile = 'authorize' | 'token' | 'api';

/**
 * How one attack ended. `failed`: the check itself could not be carried out, which proves nothing and counts like a
 * hole.
 */
export type Verdict = 'held' | 'hole' | 'failed' | 'not run';

/** One row of the report. */
export interface Finding {
  readonly profile: Profile;
  /** what was tried */
  readonly attack: string;
  readonly verdict: Verdict;
  /** what was seen, or why it was not run */
  readonly detail: string;
}

/** @returns whether no check that was run found a way in */
export function isWholeWall(findings: readonly Finding[]): boolean {
  return findings.every(({ verdict }) => verdict === 'held' || verdict === 'not run');
}
