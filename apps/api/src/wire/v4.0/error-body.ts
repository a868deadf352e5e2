import { randomUUID } from 'node:crypto';
import { obErrorCode, obErrorCode40 } from '#libs/error-catalogue';
import { createObErrorItems, cutText, type ErrorBodyWriter } from '#libs/error-envelope';

/**
 * OBErrorResponse1 of 4.0: four-character codes; the message begins with the code's 3.1 name or the bank's own. The
 * deprecated `Code` is omitted, because it repeats the status. The deprecated `Message` stays, because it says more
 * than any entry, such as the number of faults.
 */
export const errorBody40: ErrorBodyWriter = (error, names) => {
  const nameOf = (code: Parameters<typeof obErrorCode>[0]): string => obErrorCode(code, names.bank.errorNamespace);
  return {
    Id: randomUUID(),
    Message: cutText(error.message),
    Errors: createObErrorItems(error, names, obErrorCode40, ({ code, detail }) => `${nameOf(code)} - ${detail}`),
  };
};
