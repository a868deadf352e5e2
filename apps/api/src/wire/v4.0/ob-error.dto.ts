import { describedClass, textUpTo } from '#libs/api-description';
import { obErrorOf } from '../ob-error-of.js';

const OBError1 = obErrorOf({
  ErrorCode: { type: 'string', minLength: 4, maxLength: 4, description: 'Code of the standard.', example: 'U004' },
  Message: {
    required: false,
    ...textUpTo(500, { description: 'The name of the code, what is wrong and what is required instead.' }),
  },
});

/** Body of every 400, 403, 409, 422 and 500. */
export const OBErrorResponse1 = describedClass('OBErrorResponse1', {
  Id: { required: false, ...textUpTo(40, { description: 'Reference of this error.' }) },
  Message: {
    required: false,
    ...textUpTo(500, { deprecated: true, description: 'What applies to the request as a whole.' }),
  },
  Errors: { type: [OBError1], minItems: 1, maxItems: 100, description: 'All faults that were found.' },
});
