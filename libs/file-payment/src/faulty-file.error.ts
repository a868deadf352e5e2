import type { Fault } from '#libs/error-catalogue';
import type { Contradiction } from './verify-file-against-consent.js';

/** A file with faults, or that contradicts its consent. */
export class FaultyFileError extends Error {
  override readonly name = 'FaultyFileError';

  /** @param faults of it, as far as they are listed */
  constructor(
    message: string,
    readonly faults: readonly (Fault | Contradiction)[],
  ) {
    super(message);
  }
}
