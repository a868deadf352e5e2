/** The area of the API that answers with an error. */
export type ErrorArea = 'authorisation' | 'payments' | 'account access' | 'funds confirmation' | 'registration';

export const payments = ['payments'] as const satisfies readonly ErrorArea[];

/** The areas in which a payer's account is used. */
export const payers = [...payments, 'funds confirmation'] as const satisfies readonly ErrorArea[];

/** The areas of the Read/Write API. */
export const readWrite = [...payments, 'account access', 'funds confirmation'] as const satisfies readonly ErrorArea[];

/** The areas in which requests and answers are signed. */
export const signed = [...payments, 'registration'] as const satisfies readonly ErrorArea[];

/** The areas that answer with the standard's error codes. */
export const allResources = [...readWrite, 'registration'] as const satisfies readonly ErrorArea[];

/** A place in a standard; `url` where it can be read. */
export interface StandardSection {
  readonly title: string;
  readonly url?: string;
}

/** An entry as it is written: it may omit what the catalogue adds by default. */
export type WrittenEntry<Left extends 'statuses' | 'areas' | 'sections'> = Omit<ErrorEntry, Left> &
  Partial<Pick<ErrorEntry, Left>>;

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
