import { randomUUID } from 'node:crypto';
import { errorPageUrl } from '#libs/error-catalogue';
import { ObError, type ObErrorBody, type ObErrorStatus } from './ob-error.js';
import { cutText, obErrorItem } from './ob-error-items.js';

/** `Code` per status: the standard shows only the first of them. */
const codes: Record<ObErrorStatus, string> = {
  400: '400 BadRequest',
  403: '403 Forbidden',
  500: '500 InternalServerError',
};

const mostItems = 100;

/**
 * @param error the refusal
 * @param baseUrl where the pages of the error catalogue are
 * @returns OBErrorResponse1 with a fresh `Id`; at most 100 items are listed, each with the address of its page
 */
export function createObErrorBody(error: ObError, baseUrl: string): ObErrorBody {
  return {
    Code: codes[error.status],
    Id: randomUUID(),
    Message: cutText(error.message),
    Errors: error.items.slice(0, mostItems).map((item) => ({ ...item, Url: errorPageUrl(baseUrl, item.ErrorCode) })),
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
