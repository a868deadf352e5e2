import { confirmFunds, fundsConfirmationKind } from '#libs/access-consent';
import { createFault, fieldMissing } from '#libs/error-catalogue';
import { expirationPast } from '../access/verify-expiration.js';
import type { AccessVersion } from '../access/access-version.js';
import { createAccessWire } from '../access/create-access-wire.js';
import type { FundsConfirmationWire } from '../wire.js';
import { createConfirmationReader, writeConfirmation } from './confirmations.js';
import { documentConfirmation } from './document-confirmation.js';
import { consentAnswerOf, createConsentRequest } from './bodies.js';
import { createConsentReader } from './read-consent-request.js';

const exampleAccount = {
  SchemeName: 'UK.OBIE.SortCodeAccountNumber',
  Identification: '20000110000001',
  Name: 'Octon Ltd',
};
const exampleEnd = '2035-01-31T00:00:00+00:00';

/** @returns funds confirmation in one version: consents and confirmations */
// oxlint-disable-next-line max-lines-per-function -- one value, member by member
export function createFundsConfirmationWire(version: AccessVersion): FundsConfirmationWire {
  const request = createConsentRequest(version.classes.debtorAccount);
  const wire = createAccessWire(version, {
    kind: fundsConfirmationKind,
    area: 'funds confirmation',
    path: 'cbpii',
    read: createConsentReader(request, version),
    writeTerms: ({ debtorAccount, expirationDateTime }) => ({
      ...(expirationDateTime === undefined ? {} : { ExpirationDateTime: expirationDateTime }),
      DebtorAccount: debtorAccount,
    }),
    classes: { request, answer: consentAnswerOf(version) },
    document: {
      name: 'funds-confirmation',
      title: 'Funds confirmation',
      tags: {
        'Funds confirmation consents':
          'Name the account to ask about and until when. Read the status. Delete the consent.',
        'Funds confirmations': 'Whether an amount is available in the account of a consent: yes or no.',
      },
      describe: ({ version: number, words: { stateName } }) =>
        `Whether an amount is available in an account: yes or no. Read/Write API v${number}.\n\n` +
        '1. `POST /funds-confirmation-consents`: name the account and until when you want to ask. The status is ' +
        `${stateName('AwaitingAuthorisation')}.\n` +
        '2. Send the customer to approve (see Authorisation, scope `fundsconfirmations`). The status becomes ' +
        `${stateName('Authorised')}.\n` +
        '3. `POST /funds-confirmations` with the token from this approval, as often as you need.\n' +
        '4. `DELETE …/{ConsentId}` when the customer ends the consent with you. The status becomes ' +
        `${stateName('Revoked')}.\n\n` +
        'These requests are not signed, and every POST creates a new resource.',
    },
    text: {
      tag: 'Funds confirmation consents',
      create: {
        operationId: 'CreateFundsConfirmationConsents',
        summary: 'Stage a funds confirmation consent',
        description: 'Creates a consent that names one account and, optionally, an expiry time.',
      },
      read: {
        operationId: 'GetFundsConfirmationConsentsConsentId',
        summary: 'Read a funds confirmation consent',
        description: 'The status shows whether the customer has agreed, and whether the consent is still valid.',
      },
      delete: {
        operationId: 'DeleteFundsConfirmationConsentsConsentId',
        summary: 'Delete a funds confirmation consent',
        description:
          'Call this when the customer ends the consent with you. All its tokens end. A consent that nobody has ' +
          'authorised becomes rejected. You can still read the consent. If it has already ended, nothing changes.',
      },
      ended: 'The consent has ended.',
      bodyFaults: [
        fieldMissing('Data.DebtorAccount'),
        createFault(
          'Unsupported.AccountIdentifier',
          'Data.DebtorAccount.Identification must be the six digits of the sort code and the eight digits of the ' +
            'account number.',
          'Data.DebtorAccount.Identification',
        ),
        expirationPast,
      ],
      example: {
        summary: 'An account, for some years',
        body: { Data: { DebtorAccount: exampleAccount, ExpirationDateTime: exampleEnd } },
        terms: { permissions: [confirmFunds], debtorAccount: exampleAccount, expirationDateTime: exampleEnd },
      },
    },
  });
  return {
    ...wire,
    confirmations: {
      read: createConfirmationReader(version),
      write: writeConfirmation,
      document: () => documentConfirmation(version, wire.prefix),
    },
  };
}
