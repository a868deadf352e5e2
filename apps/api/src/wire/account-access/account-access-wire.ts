import { accountAccessKind } from '#libs/access-consent';
import { fieldInvalid, fieldMissing } from '#libs/error-catalogue';
import { expirationPast } from '../access/verify-expiration.js';
import type { AccessVersion } from '../access/access-version.js';
import { createAccessWire } from '../access/create-access-wire.js';
import type { AccessWire } from '../wire.js';
import { OBReadConsent1, readConsentAnswerOf } from './bodies.js';
import { createAccountAccessReader } from './read-consent-request.js';

const terms = {
  permissions: ['ReadAccountsDetail', 'ReadBalances'],
  expirationDateTime: '2035-01-31T00:00:00+00:00',
};

/** @returns account access consents in one version */
// oxlint-disable-next-line max-lines-per-function -- one value, member by member
export function createAccountAccessWire(version: AccessVersion): AccessWire {
  return createAccessWire(version, {
    kind: accountAccessKind,
    area: 'account information',
    path: 'aisp',
    read: createAccountAccessReader(version),
    writeTerms: ({ permissions, expirationDateTime, transactionFromDateTime, transactionToDateTime }) => ({
      Permissions: permissions,
      ...(expirationDateTime === undefined ? {} : { ExpirationDateTime: expirationDateTime }),
      ...(transactionFromDateTime === undefined ? {} : { TransactionFromDateTime: transactionFromDateTime }),
      ...(transactionToDateTime === undefined ? {} : { TransactionToDateTime: transactionToDateTime }),
    }),
    besideData: { Risk: {} },
    classes: { request: OBReadConsent1, answer: readConsentAnswerOf(version.state) },
    document: {
      name: 'accounts',
      title: 'Account access',
      tags: {
        'Account access consents':
          'State which account data you want to read and for how long. Read the status. Delete the consent.',
      },
      describe: ({ version: number, words: { stateName } }) =>
        `Consents to read accounts. Read/Write API v${number}.\n\n` +
        '1. `POST /account-access-consents`: state what you want to read and for how long. The status is ' +
        `${stateName('AwaitingAuthorisation')}.\n` +
        '2. Send the customer to choose accounts and approve (see Authorisation, scope `accounts`). The status ' +
        `becomes ${stateName('Authorised')}.\n` +
        "3. Read the accounts at the bank's resource server with the tokens from this approval.\n" +
        '4. `DELETE …/{ConsentId}` when the customer ends the access with you. The status becomes ' +
        `${stateName('Revoked')}.\n\n` +
        'These requests are not signed, and every POST creates a new consent.',
    },
    text: {
      tag: 'Account access consents',
      create: {
        operationId: 'CreateAccountAccessConsents',
        summary: 'Stage an account access consent',
        description:
          'Creates a consent that states which data you want to read and for how long. It names no customer and no ' +
          'account.',
      },
      read: {
        operationId: 'GetAccountAccessConsentsConsentId',
        summary: 'Read an account access consent',
        description: 'The status shows whether the customer has agreed, and whether the access is still valid.',
      },
      delete: {
        operationId: 'DeleteAccountAccessConsentsConsentId',
        summary: 'Delete an account access consent',
        description:
          'Call this when the customer ends the access with you. All tokens of the consent end. A consent that ' +
          'nobody has authorised becomes rejected. You can still read the consent. If it has already ended, nothing ' +
          'changes.',
      },
      ended: 'The access has ended.',
      bodyFaults: [
        fieldMissing('Risk'),
        fieldInvalid('Data.Permissions', 'must contain ReadAccountsBasic or ReadAccountsDetail'),
        expirationPast,
      ],
      example: {
        summary: 'Accounts and balances',
        body: { Data: { Permissions: terms.permissions, ExpirationDateTime: terms.expirationDateTime }, Risk: {} },
        terms,
      },
    },
  });
}
