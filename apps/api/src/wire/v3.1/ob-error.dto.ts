import { describedClass, textUpTo } from '#libs/api-description';
import { obStatusCode } from '#libs/error-envelope';
import { obErrorOf } from '../ob-error-of.js';

const OBError1 = obErrorOf({
  ErrorCode: textUpTo(128, {
    description: "Code of the standard, or of the bank's own.",
    example: 'UK.OBIE.Field.Missing',
  }),
  Message: textUpTo(500, { description: 'What is wrong and what is required instead.' }),
});

/** Body of every 400, 403 and 500, and of a 503 that could not be signed. */
export const OBErrorResponse1 = describedClass('OBErrorResponse1', {
  Code: { type: 'string', enum: ([400, 403, 500, 503] as const).map(obStatusCode) },
  Id: {
    required: false,
    ...textUpTo(40, { description: 'Reference of this error. Quote it when you contact the bank.' }),
  },
  Message: textUpTo(500),
  Errors: { type: [OBError1], minItems: 1, maxItems: 100, description: 'All faults that were found.' },
});
