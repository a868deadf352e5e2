import { ApiProperty } from '@nestjs/swagger';
import { createObErrorBody } from '#libs/error-envelope';
import type { AccessConsentStatus } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { DebtorAccount } from '../access/ob-debtor-account.dto.js';
import { OBErrorResponse1 } from './ob-error.dto.js';

/** The states as 3.1 says them. It has no word for access whose time is over: it is no access any more, as if it had been revoked. */
const names: Readonly<Record<AccessConsentStatus, string>> = {
  AwaitingAuthorisation: 'AwaitingAuthorisation',
  Authorised: 'Authorised',
  Withdrawn: 'Authorised',
  Rejected: 'Rejected',
  Revoked: 'Revoked',
  Expired: 'Revoked',
};

/** How an answer tells the state. */
class StateMembers {
  @ApiProperty({
    type: 'string',
    enum: ['AwaitingAuthorisation', 'Authorised', 'Rejected', 'Revoked'],
    description:
      'AwaitingAuthorisation: send the customer to the bank. Authorised: use the consent. Rejected: the customer did not agree, or not in time. ' +
      'Revoked: the access has ended.',
  })
  Status!: string;
}

/** Consents to access that lasts in the Read/Write API 3.1. */
export const accessVersion31: AccessVersion = {
  version: '3.1',
  edition: '3.1.11',
  documentSuffix: { name: '', title: '' },
  root: 'open-banking/v3.1',
  errorBody: createObErrorBody,
  areLimitsTold: false,
  isClosed: false,
  words: { stateName: (status) => names[status] },
  classes: { error: OBErrorResponse1, state: StateMembers, debtorAccount: DebtorAccount },
  headers: [],
};
