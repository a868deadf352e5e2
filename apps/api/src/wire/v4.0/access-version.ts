import { describeMembers } from '#libs/api-description';
import type { AccessConsent, AccessEndReason } from '#libs/access-consent';
import { accessStates40 } from '#libs/obie-rules';
import type { AccessVersion } from '../access/access-version.js';
import { DebtorAccount } from '../access/ob-debtor-account.dto.js';
import { ObObject, Optional } from '../form/rules.js';
import { errorBody40 } from './error-body.js';
import { OBStatusReason } from './file-payment/dto/ob-answer-parts.dto.js';
import { OBProxy1 } from './file-payment/dto/ob-parties.dto.js';
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

/** Status members of an answer. */
class StateMembers {}
describeMembers(StateMembers, {
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
});

/** The account and its proxy. */
class OBDebtorAccountWithProxy extends DebtorAccount {
  @Optional({
    description: 'Proxy for the account. Stored and displayed; the members above identify the account.',
  })
  @ObObject(() => OBProxy1)
  Proxy?: object;
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
  classes: { error: OBErrorResponse1, state: StateMembers, debtorAccount: OBDebtorAccountWithProxy },
  headers: ['ratelimit-policy', 'ratelimit', 'x-client-id'],
};
