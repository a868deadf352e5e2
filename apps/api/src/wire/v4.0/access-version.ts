import type { AccessConsent, AccessEndReason } from '#libs/access-consent';
import { accessStates40 } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { namedAccount } from '../access/bodies.js';
import { classWith } from '../form/members.js';
import { errorBody40 } from './error-body.js';
import { accountProxy, OBStatusReason } from './file-payment/bodies.js';
import { OBErrorResponse1 } from './ob-error.dto.js';

const endings: Readonly<Record<AccessEndReason, readonly [code: string, description: string]>> = {
  Declined: ['U033', 'The customer did not agree.'],
  NotPossible: ['U036', 'The customer could not agree.'],
  Expired: ['U036', 'The consent has expired.'],
  ClientWithdrew: ['U036', 'The third party provider ended the access.'],
  CustomerWithdrew: ['U036', 'The customer withdrew the access at the bank.'],
  ClientGone: ['U036', 'The third party provider is no longer permitted to act.'],
};

function reasons({ status, statusReason }: AccessConsent): object[] {
  if (status === 'AwaitingAuthorisation') {
    return [{ StatusReasonCode: 'U036', StatusReasonDescription: 'The customer has not decided yet.' }];
  }
  if (statusReason === undefined) return [];
  const [StatusReasonCode, StatusReasonDescription] = endings[statusReason];
  return [{ StatusReasonCode, StatusReasonDescription }];
}

/** Access consents in the Read/Write API 4.0.1. */
export const accessVersion40: AccessVersion = {
  version: '4.0',
  edition: '4.0.1',
  documentSuffix: { name: '-4.0', title: ' v4.0' },
  root: 'open-banking/v4.0',
  errorBody: errorBody40,
  areLimitsTold: true,
  isClosed: true,
  words: { stateName: (status) => accessStates40[status], reasons },
  state: {
    Status: {
      type: 'string',
      enum: ['AWAU', 'AUTH', 'RJCT', 'CANC', 'EXPD'],
      description:
        'AWAU: send the customer to the bank. AUTH: use the consent. RJCT: the customer did not agree, or not in ' +
        'time. CANC: the access was withdrawn. EXPD: the consent has expired.',
    },
    StatusReason: {
      required: false,
      type: [OBStatusReason],
      description: 'The reason for the status, if the status alone does not explain it.',
    },
  },
  classes: {
    error: OBErrorResponse1,
    debtorAccount: classWith('OBDebtorAccountWithProxy', { ...namedAccount, Proxy: accountProxy }),
  },
  headers: ['ratelimit-policy', 'ratelimit', 'x-client-id'],
};
