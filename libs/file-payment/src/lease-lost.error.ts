/**
 * The file payment is somebody else's by now, or stopped: whoever works on it stops at once and changes nothing more
 * of it.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('The file payment was taken over or stopped.');
  }
}
