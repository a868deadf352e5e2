import { randomUUID } from 'node:crypto';

/**
 * What the bank refuses, by the name of its error, and what each version of the API calls it. The standard has no code
 * for the last.
 */
const codes = {
  'Header.Invalid': { '3.1': 'UK.OBIE.Header.Invalid', '4.0': 'U006' },
  'Resource.ConsentMismatch': { '3.1': 'UK.OBIE.Resource.ConsentMismatch', '4.0': 'U008' },
  'Resource.NotFound': { '3.1': 'UK.OBIE.Resource.NotFound', '4.0': 'U011' },
  UnexpectedError: { '3.1': 'UK.OBIE.UnexpectedError', '4.0': 'U000' },
  'Resource.Forbidden': { '3.1': 'UK.SandboxBank.Resource.Forbidden', '4.0': 'U042' },
} as const;

const statuses = {
  400: '400 BadRequest',
  403: '403 Forbidden',
  500: '500 InternalServerError',
} as const;

/** A version of the API in which accounts are served. */
export type AccountsVersion = '3.1' | '4.0';

/** A request that is refused with OBErrorResponse1. */
export class Refusal extends Error {
  constructor(
    readonly status: keyof typeof statuses,
    readonly code: keyof typeof codes,
    message: string,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A request without a valid token: 401, which has no body. */
export class Unauthorised extends Error {
  /** @param challenge WWW-Authenticate (RFC 6750 s3) */
  constructor(readonly challenge: string) {
    super('Unauthorised');
    this.name = 'Unauthorised';
  }
}

/** @returns OBErrorResponse1 as the version has it */
export function errorBody({ status, code, message }: Refusal, version: AccountsVersion): object {
  const Id = randomUUID();
  const ErrorCode = codes[code][version];
  if (version === '3.1')
    return { Code: statuses[status], Id, Message: message, Errors: [{ ErrorCode, Message: message }] };
  return { Id, Message: message, Errors: [{ ErrorCode, Message: `${codes[code]['3.1']} - ${message}` }] };
}
