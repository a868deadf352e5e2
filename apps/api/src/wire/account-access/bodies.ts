import type { Members } from '#libs/api-description';
import { permissions } from '#libs/obie-rules';
import { accessAnswerOf, consentMembers } from '../access/bodies.js';
import { moment } from '../file-payment/dto/answer-parts.js';
import { classWith } from '../form/members.js';
import { ObDateTime, ObEnums, ObObject, Optional, Required } from '../form/rules.js';

/** What the request asks for, and for how long. */
export interface AskedAccess {
  readonly Permissions: readonly string[];
  readonly ExpirationDateTime?: string;
  readonly TransactionFromDateTime?: string;
  readonly TransactionToDateTime?: string;
}

const OBReadData1 = classWith('OBReadData1', {
  Permissions: Required(
    {
      description: 'Which data may be read. Must contain ReadAccountsBasic or ReadAccountsDetail.',
      example: ['ReadAccountsDetail', 'ReadBalances'],
    },
    ObEnums(permissions),
  ),
  ExpirationDateTime: Optional(
    {
      description: 'When the access ends; must be in the future. Without it, the access lasts until it is withdrawn.',
      example: '2035-01-31T00:00:00+00:00',
    },
    ObDateTime(),
  ),
  TransactionFromDateTime: Optional(
    { description: 'Start of the period whose transactions may be read.', example: '2030-01-01T00:00:00+00:00' },
    ObDateTime(),
  ),
  TransactionToDateTime: Optional(
    { description: 'End of the period whose transactions may be read.', example: '2030-12-31T00:00:00+00:00' },
    ObDateTime(),
  ),
});

/** The standard has no members yet. */
const OBRisk2 = classWith('OBRisk2', {}, { isClosed: true });

/** Body of POST /account-access-consents. */
export const OBReadConsent1 = classWith<{ readonly Data: AskedAccess }>('OBReadConsent1', {
  Data: Required({}, ObObject(OBReadData1)),
  Risk: Required({ description: 'Required, and must be empty.' }, ObObject(OBRisk2)),
});

/**
 * @param state the version's status members
 * @returns the answer of POST and GET /account-access-consents
 */
export const readConsentAnswerOf = (state: Members) =>
  accessAnswerOf(
    'OBReadConsentResponse1',
    {
      ...consentMembers,
      ...state,
      Permissions: { type: 'array', items: { type: 'string', enum: [...permissions] }, minItems: 1 },
      ExpirationDateTime: { required: false, ...moment, description: 'When the access ends.' },
      TransactionFromDateTime: { required: false, ...moment },
      TransactionToDateTime: { required: false, ...moment },
    },
    { Risk: { type: 'object', additionalProperties: false } },
  );
