import { accountAccessKind } from '#libs/access-consent';
import type { AccessVersion } from '../access/access-version.js';
import { createAccessWire } from '../access/create-access-wire.js';
import type { AccessWire } from '../wire.js';
import { createReadConsentAnswer, OBReadConsent1 } from './ob-read-consent.dto.js';
import { createAccountAccessReader } from './read-consent-request.js';

const terms = {
  permissions: ['ReadAccountsDetail', 'ReadBalances'],
  expirationDateTime: '2035-01-31T00:00:00+00:00',
};

/** @returns account access consents in one version */
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
    classes: { request: OBReadConsent1, answer: createReadConsentAnswer(version.classes.state) },
    document: {
      name: 'accounts',
      title: 'Account access',
      tags: {
        'Account access consents':
          'Say what is to be read of accounts, and for how long. Read the state; end the access.',
      },
      describe: ({ version: number, words: { stateName } }) =>
        `Consents to read accounts. Read/Write API v${number}.\n\n` +
        `1. \`POST /account-access-consents\`: say what is to be read, and for how long. The state is ${stateName('AwaitingAuthorisation')}.\n` +
        `2. Let the customer agree and choose the accounts (see Authorisation, scope \`accounts\`). ${stateName('Authorised')}.\n` +
        "3. Read the accounts at the bank's resource server, with the tokens that came from it.\n" +
        `4. \`DELETE …/{ConsentId}\` when the customer ends it with you. ${stateName('Revoked')}.\n\n` +
        'Nothing here is signed, and every POST makes a consent anew.',
    },
    text: {
      tag: 'Account access consents',
      create: {
        operationId: 'CreateAccountAccessConsents',
        summary: 'Stage a consent to account access',
        description: 'States which data may be read and for how long. It identifies no customer or account.',
      },
      read: {
        operationId: 'GetAccountAccessConsentsConsentId',
        summary: 'Read a consent to account access',
        description: 'Its state above all: whether the customer has agreed, and whether the access still stands.',
      },
      delete: {
        operationId: 'DeleteAccountAccessConsentsConsentId',
        summary: 'End account access',
        description:
          'When the customer ends it with the TPP. No token of it is good from then on. What nobody has authorised is rejected; the consent ' +
          'can be read on. Of one that has ended, nothing changes.',
      },
      ended: 'The access has ended.',
      bodyFaults: [
        { code: 'Field.Missing', detail: 'Risk is required.', path: 'Risk' },
        {
          code: 'Field.Invalid',
          detail: 'Data.Permissions must hold ReadAccountsBasic or ReadAccountsDetail.',
          path: 'Data.Permissions',
        },
        {
          code: 'Field.InvalidDate',
          detail: 'Data.ExpirationDateTime must be in the future.',
          path: 'Data.ExpirationDateTime',
        },
      ],
      example: {
        summary: 'Accounts and balances',
        body: { Data: { Permissions: terms.permissions, ExpirationDateTime: terms.expirationDateTime }, Risk: {} },
        terms,
      },
    },
  });
}
