import { randomUUID } from 'node:crypto';
import { ObError, type ObErrorBody, type ObErrorStatus } from './ob-error.js';
import { obErrorItem } from './ob-error-items.js';

/** `Code` per status: the standard shows only the first of them. */
const codes: Record<ObErrorStatus, string> = {
  400: '400 BadRequest',
  403: '403 Forbidden',
  500: '500 InternalServerError',
};

const mostItems = 100;

/**
 * @param error the refusal
 * @returns OBErrorResponse1 with a fresh `Id`; at most 100 items are listed
 */
export function createObErrorBody(error: ObError): ObErrorBody {
  return {
    Code: codes[error.status],
    Id: randomUUID(),
    Message: error.message.slice(0, 500),
    Errors: error.items.slice(0, mostItems),
  };
}

/** The answer to anything that nobody foresaw: it tells nothing but the `Id` to ask about. */
export function unexpectedError(cause: unknown): ObError {
  return new ObError(
    500,
    'The request could not be processed. Try again later; if it happens again, tell the bank this Id.',
    [obErrorItem('UK.OBIE.UnexpectedError', 'The request could not be processed.')],
    { cause },
  );
}
