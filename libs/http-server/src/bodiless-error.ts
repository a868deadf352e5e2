/** Why a request was refused without a body, for programs, if its status does not say. */
export type BodilessReason = 'certificate-missing' | 'token-missing' | 'token-malformed' | 'token' | 'management';

/** A refusal that has no body by definition: 401, 404, 405, 406, 413, 415, 421, 429, 503. */
export class BodilessError extends Error {
  /**
   * @param status HTTP status
   * @param detail for the log only
   * @param headers what the status demands: WWW-Authenticate, Allow, Retry-After
   */
  constructor(
    readonly status: number,
    detail: string,
    readonly headers: Readonly<Record<string, string | string[]>> = {},
    readonly reason?: BodilessReason,
  ) {
    super(detail);
    this.name = 'BodilessError';
  }
}
