import { randomUUID } from 'node:crypto';
import { type FaultCode, obErrorCode, obErrorCode40 } from '#libs/error-catalogue';
import { type ObErrorStatus, obStatusCode } from '#libs/error-envelope';

/** For codes that the standard lacks, such as that for an account which the consent does not cover. */
const namespace = 'UK.SandboxBank';

/** A version of the API in which accounts are served. */
export type AccountsVersion = '3.1' | '4.0';

/** The rule that refuses, with what would have been right, for `why`. */
export type Refused = Readonly<Record<'rule' | 'expected' | 'got', string>>;

/** A request that is refused with OBErrorResponse1. */
export class Refusal extends Error {
  constructor(
    readonly status: ObErrorStatus,
    readonly code: FaultCode,
    message: string,
    readonly refused?: Refused,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A request without a valid token: 401, which has no body. */
export class Unauthorised extends Error {
  /** @param challenge WWW-Authenticate (RFC 6750 s3) */
  constructor(
    readonly challenge: string,
    readonly reason: 'certificate-missing' | 'token-missing' | 'token-malformed' | 'token',
  ) {
    super('Unauthorised');
    this.name = 'Unauthorised';
  }
}

/** @returns OBErrorResponse1 as the version has it */
export function errorBody({ status, code, message }: Refusal, version: AccountsVersion, Id = randomUUID()): object {
  const code31 = obErrorCode(code, namespace);
  if (version === '3.1') {
    const Errors = [{ ErrorCode: code31, Message: message }];
    return { Code: obStatusCode(status), Id, Message: message, Errors };
  }
  return { Id, Message: message, Errors: [{ ErrorCode: obErrorCode40(code), Message: `${code31} - ${message}` }] };
}
