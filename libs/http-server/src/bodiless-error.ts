/** Why a request was refused without a body, for programs, if its status does not say. */
export type BodilessReason = 'certificate-missing' | 'token-missing' | 'token-malformed' | 'token' | 'management';

/** A refusal that has no body by definition: 401, 404, 405, 406, 413, 415, 421, 429, 503. */
export class BodilessError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly reason: BodilessReason | undefined;

  /**
   * @param status HTTP status
   * @param detail for the log only
   * @param headers what the status demands: WWW-Authenticate, Allow, Retry-After
   */
  constructor(
    status: number,
    detail: string,
    headers: Readonly<Record<string, string | string[]>> = {},
    reason?: BodilessReason,
  ) {
    super(detail);
    this.name = 'BodilessError';
    this.status = status;
    this.headers = headers;
    this.reason = reason;
  }
}
