import type { Fault } from '#libs/error-catalogue';

/**
 * The statuses that carry an OBErrorResponse1 (Read/Write profile); 409 and 422 from version 4.0 on, 503 where an
 * answer cannot be signed.
 */
export type ObErrorStatus = 400 | 403 | 409 | 422 | 500 | 503;

/** One entry of `Errors` (OBError1). */
export interface ObErrorItem {
  readonly ErrorCode: string;
  readonly Message: string;
  readonly Path?: string;
  readonly Url: string;
}

/** The body of every 400, 403 and 500 outside the OAuth endpoints (OBErrorResponse1). */
export interface ObErrorBody {
  readonly Code: string;
  readonly Id: string;
  readonly Message: string;
  readonly Errors: readonly ObErrorItem[];
}

/**
 * A refusal with an OBErrorResponse1, independent of the codes of a version. Its texts may be sent; `cause` is for the
 * log only.
 */
export class ObError extends Error {
  /**
   * @param status HTTP status
   * @param message one sentence for the whole answer, cut to 500 characters
   * @param faults at least one
   */
  constructor(
    readonly status: ObErrorStatus,
    message: string,
    readonly faults: readonly Fault[],
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ObError';
  }
}
