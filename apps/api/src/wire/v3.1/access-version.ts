import { createObErrorBody } from '#libs/error-envelope';
import { accessStates31 } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { namedAccount } from '../access/bodies.js';
import { classWith } from '../form/members.js';
import { OBErrorResponse1 } from './ob-error.dto.js';

/** Access consents in the Read/Write API 3.1. */
export const accessVersion31: AccessVersion = {
  version: '3.1',
  edition: '3.1.11',
  documentSuffix: { name: '', title: '' },
  root: 'open-banking/v3.1',
  errorBody: createObErrorBody,
  areLimitsTold: false,
  isClosed: false,
  words: { stateName: (status) => accessStates31[status] },
  state: {
    Status: {
      type: 'string',
      enum: ['AwaitingAuthorisation', 'Authorised', 'Rejected', 'Revoked'],
      description:
        'AwaitingAuthorisation: send the customer to the bank. Authorised: use the consent. Rejected: the customer ' +
        'did not agree, or not in time. Revoked: the access has ended.',
    },
  },
  classes: { error: OBErrorResponse1, debtorAccount: classWith('DebtorAccount', namedAccount) },
  headers: [],
};
