/** Where an error is answered. */
export type ErrorArea = 'authorisation' | 'file payments' | 'registration';

/** A place in a standard; `url` where it can be read. */
export interface StandardSection {
  readonly title: string;
  readonly url?: string;
}

/** What there is to say about one error code. Texts are plain sentences for the developer who met it. */
export interface ErrorEntry {
  /** HTTP statuses that it comes with; empty for a code that travels in a redirect only */
  readonly statuses: readonly number[];
  readonly areas: readonly ErrorArea[];
  /** one sentence: what the code says */
  readonly meaning: string;
  /** when the service answers it */
  readonly causes: readonly string[];
  /** what to do about it, the likeliest first */
  readonly remedies: readonly string[];
  readonly sections: readonly [StandardSection, ...StandardSection[]];
}
