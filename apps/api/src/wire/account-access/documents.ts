import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { bodiless, exampleAddresses, jsonAnswer } from '#libs/api-description';
import { type AccessConsent, accountAccessKind } from '#libs/access-consent';
import type { Fault } from '#libs/error-catalogue';
import { type AccessConsentStatus, parseDateTime } from '#libs/obie-rules';
import { ApiJsonBody, ApiPispOperation } from '../file-payment/documents/api-operation.js';
import type { AreaText } from '../file-payment/documents/document-text.js';
import { headerFault, obErrorAnswer, readRefused } from '../file-payment/documents/ob-answers.js';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import type { AccessWire } from '../wire.js';
import { OBReadConsent1 } from './ob-read-consent.dto.js';
import type { AccessVersion } from './version.js';

const tag = 'Account access consents';

const terms = {
  permissions: ['ReadAccountsDetail', 'ReadBalances'],
  expirationDateTime: '2035-01-31T00:00:00+00:00',
};

const bodyFaults: readonly Fault[] = [
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
  { code: 'Resource.InvalidFormat', detail: 'The body must be a JSON object.' },
];

/** @returns what the document of a version tells of the operations on account access consents */
export function accountAccessDocuments(version: AccessVersion, write: AccessWire['write']): AccessWire['documents'] {
  const text: AreaText = { ...version, scope: accountAccessKind.scope };
  const example = (status: AccessConsentStatus) => exampleOf(version, write, status);
  const { answer } = version.classes;
  const create = () =>
    applyDecorators(
      ApiTags(tag),
      ApiPispOperation(
        text,
        {
          operationId: 'CreateAccountAccessConsents',
          summary: 'Stage a consent to account access',
          description: 'Says what is to be read, and for how long. It names no customer and no account.',
        },
        {
          201: jsonAnswer(answer, {
            description: 'The consent, waiting for the customer.',
            headers: ['location'],
            examples: { consent: { summary: 'Staged', value: example('AwaitingAuthorisation') } },
          }),
          400: obErrorAnswer(text, 400, 'All faults of a body are listed at once.', 'The request was refused.', [
            ...bodyFaults,
            headerFault,
          ]),
        },
      ),
      ApiJsonBody(text, [OBReadConsent1], {
        consent: {
          summary: 'Accounts and balances',
          value: { Data: { Permissions: terms.permissions, ExpirationDateTime: terms.expirationDateTime }, Risk: {} },
        },
      }),
    );
  const read = () =>
    applyDecorators(
      ApiTags(tag),
      ApiPispOperation(
        text,
        {
          operationId: 'GetAccountAccessConsentsConsentId',
          summary: 'Read a consent to account access',
          description: 'Its state above all: whether the customer has agreed, and whether the access still stands.',
          params: ['ConsentId'],
        },
        {
          200: jsonAnswer(answer, {
            description: 'The consent.',
            examples: { approved: { summary: 'The customer has agreed', value: example('Authorised') } },
          }),
          400: readRefused(text, 'ConsentId'),
        },
      ),
    );
  const remove = () =>
    applyDecorators(
      ApiTags(tag),
      ApiPispOperation(
        text,
        {
          operationId: 'DeleteAccountAccessConsentsConsentId',
          summary: 'End account access',
          description:
            'When the customer ends it with the TPP. No token of it is good from then on. What nobody has authorised is rejected; the consent ' +
            'can be read on. Of one that has ended, nothing changes.',
          params: ['ConsentId'],
        },
        { 204: bodiless('The access has ended.'), 400: readRefused(text, 'ConsentId') },
      ),
    );
  return { create, read, delete: remove };
}

function exampleOf({ prefix }: AccessVersion, write: AccessWire['write'], status: AccessConsentStatus): object {
  const at = parseDateTime(exampleTime) ?? new Date(0);
  const consent: AccessConsent = {
    consentId: exampleConsentId,
    clientId: '',
    kind: accountAccessKind.name,
    apiVersion: '',
    status,
    createdAt: at,
    statusUpdatedAt: at,
    terms,
    accounts: [],
  };
  return write(consent, `${exampleAddresses.baseUrl}/${prefix}/${accountAccessKind.consents}/${exampleConsentId}`);
}
