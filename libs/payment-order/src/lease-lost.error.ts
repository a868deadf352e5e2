/**
 * Another worker has taken the file payment over, or it was stopped. The former worker stops at once and changes
 * nothing more.
 */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('The payment order was taken over or stopped.');
  }
}
