import type { OAuthErrorCode } from '#libs/error-catalogue';
import type { RefusalReason } from './refusal-reason.js';
import type { AuthorizationResponseTarget } from '../authorization-response/authorization-response-target.js';

export interface OAuthErrorOptions {
  reason?: RefusalReason;
  /** The claim, header member or parameter that was wrong. */
  member?: string;
  /** The limit in seconds that was exceeded. */
  limitSeconds?: number;
  /** For the log only: what exactly was wrong, without secrets or tokens. */
  detail?: string;
  cause?: unknown;
}

const MAX_DESCRIPTION_LENGTH = 200;

/** A refusal that the protocol has a code for. Everything in `error` and `description` may be sent to anybody. */
export class OAuthError extends Error {
  readonly description: string;
  readonly reason: RefusalReason;
  readonly member: string | undefined;
  readonly limitSeconds: number | undefined;
  readonly detail: string | undefined;
  /**
   * Where the browser may carry the error; absent: it must be shown as a page, or answered as JSON by the token
   * endpoint.
   */
  redirect?: AuthorizationResponseTarget;

  constructor(
    readonly error: OAuthErrorCode,
    readonly status: 400 | 401 | 403 | 500 | 503,
    description: string,
    { reason, member, limitSeconds, detail, cause }: OAuthErrorOptions & { reason: RefusalReason },
  ) {
    super(`${error}: ${detail ?? description}`, { cause });
    this.name = new.target.name;
    this.description = toDescription(description);
    this.reason = reason;
    this.member = member;
    this.limitSeconds = limitSeconds;
    this.detail = detail;
  }

  /** RFC 6749 s4.1.2.1: false while client or redirect_uri are in doubt; then the error must not be redirected. */
  get redirectable(): boolean {
    return this.redirect !== undefined;
  }
}

// RFC 6749 s5.2: %x20-21 / %x23-5B / %x5D-7E, so no double quote, no backslash, no line break, nothing outside ASCII.
function toDescription(text: string): string {
  return text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?');
}
