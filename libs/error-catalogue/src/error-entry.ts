/** The area of the API that answers with an error. */
export type ErrorArea = 'authorisation' | 'file payments' | 'registration';

/** A place in a standard; `url` where it can be read. */
export interface StandardSection {
  readonly title: string;
  readonly url?: string;
}

/** The documentation of one error code, in plain sentences for the developer who received it. */
export interface ErrorEntry {
  /** HTTP statuses that carry it; empty for a code that occurs only in redirects */
  readonly statuses: readonly number[];
  readonly areas: readonly ErrorArea[];
  /** one sentence: what the code means */
  readonly meaning: string;
  /** when the service answers it */
  readonly causes: readonly string[];
  /** what to do about it, the likeliest first */
  readonly remedies: readonly string[];
  readonly sections: readonly [StandardSection, ...StandardSection[]];
}
