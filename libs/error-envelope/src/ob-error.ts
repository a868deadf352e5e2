/** The statuses that carry an OBErrorResponse1 (Read/Write profile). */
export type ObErrorStatus = 400 | 403 | 500;

/** One entry of `Errors` (OBError1). */
export interface ObErrorItem {
  readonly ErrorCode: string;
  readonly Message: string;
  readonly Path?: string;
  readonly Url?: string;
}

/** The body of every 400, 403 and 500 outside the OAuth endpoints (OBErrorResponse1). */
export interface ObErrorBody {
  readonly Code: string;
  readonly Id: string;
  readonly Message: string;
  readonly Errors: readonly ObErrorItem[];
}

/** A refusal with an OBErrorResponse1. What it says may be sent; `cause` stays in the log. */
export class ObError extends Error {
  readonly status: ObErrorStatus;
  readonly items: readonly ObErrorItem[];

  /**
   * @param status HTTP status
   * @param message one sentence for the whole answer, cut to 500 characters
   * @param items at least one
   */
  constructor(status: ObErrorStatus, message: string, items: readonly ObErrorItem[], options?: ErrorOptions) {
    super(message, options);
    this.name = 'ObError';
    this.status = status;
    this.items = items;
  }
}
