import type { Fault } from '#libs/error-catalogue';
import type { Contradiction } from './verify-file-against-consent.js';

/** A file that has faults or contradicts its consent. */
export class FaultyFileError extends Error {
  override readonly name = 'FaultyFileError';

  /** @param faults those that are listed */
  constructor(
    message: string,
    readonly faults: readonly (Fault | Contradiction)[],
  ) {
    super(message);
  }
}
