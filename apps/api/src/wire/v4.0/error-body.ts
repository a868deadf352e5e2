import { randomUUID } from 'node:crypto';
import { obErrorCode, obErrorCode40 } from '#libs/error-catalogue';
import { createObErrorItems, cutText, type ErrorBodyWriter } from '#libs/error-envelope';

/**
 * OBErrorResponse1 of 4.0: codes of four characters, with the name that the code has had before, or that is the bank's own, in front of the
 * message. `Code` is deprecated there and left out: it said the status once more. `Message` is deprecated, too, and stays: it tells what
 * no single entry does, such as how many faults there are.
 */
export const errorBody40: ErrorBodyWriter = (error, names) => {
  const nameOf = (code: Parameters<typeof obErrorCode>[0]): string => obErrorCode(code, names.bank.errorNamespace);
  return {
    Id: randomUUID(),
    Message: cutText(error.message),
    Errors: createObErrorItems(error, names, obErrorCode40, ({ code, detail }) => `${nameOf(code)} - ${detail}`),
  };
};
