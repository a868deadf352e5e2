import type { Type } from '@nestjs/common';
import { IntersectionType } from '@nestjs/swagger';
import { describeMembers } from '#libs/api-description';
import { permissions } from '#libs/obie-rules';
import { ConsentMembers, LinksAndMeta } from '../access/ob-consent-answer.dto.js';
import { Closed } from '../form/members.js';
import { ObDateTime, ObEnums, ObObject, Optional, Required } from '../form/rules.js';

/** What the request asks for, and for how long. */
class OBReadData1 {
  @Required({
    description: 'Which data may be read. Must contain ReadAccountsBasic or ReadAccountsDetail.',
    example: ['ReadAccountsDetail', 'ReadBalances'],
  })
  @ObEnums(permissions)
  Permissions!: string[];

  @Optional({
    description: 'When the access ends; must be in the future. Without it, the access lasts until it is withdrawn.',
    example: '2035-01-31T00:00:00+00:00',
  })
  @ObDateTime()
  ExpirationDateTime?: string;

  @Optional({
    description: 'Start of the period whose transactions may be read.',
    example: '2030-01-01T00:00:00+00:00',
  })
  @ObDateTime()
  TransactionFromDateTime?: string;

  @Optional({ description: 'End of the period whose transactions may be read.', example: '2030-12-31T00:00:00+00:00' })
  @ObDateTime()
  TransactionToDateTime?: string;
}

/** The standard has no members yet. */
@Closed()
class OBRisk2 {}

/** Body of POST /account-access-consents. */
export class OBReadConsent1 {
  @Required()
  @ObObject(() => OBReadData1)
  Data!: OBReadData1;

  @Required({ description: 'Required, and must be empty.' })
  @ObObject(() => OBRisk2)
  Risk!: OBRisk2;
}

/** Data of an answer: what was requested. */
class AskedMembers {}
describeMembers(AskedMembers, {
  Permissions: { type: 'array', items: { type: 'string', enum: [...permissions] }, minItems: 1 },
  ExpirationDateTime: { required: false, type: 'string', format: 'date-time', description: 'When the access ends.' },
  TransactionFromDateTime: { required: false, type: 'string', format: 'date-time' },
  TransactionToDateTime: { required: false, type: 'string', format: 'date-time' },
});

/**
 * @param state the version's status members
 * @returns the answer of POST and GET /account-access-consents
 */
export function createReadConsentAnswer(state: Type): Type {
  class OBReadConsentResponse1Data extends IntersectionType(ConsentMembers, state, AskedMembers) {}

  class OBReadConsentResponse1 extends LinksAndMeta {}
  describeMembers(OBReadConsentResponse1, {
    Data: { type: OBReadConsentResponse1Data },
    Risk: { type: 'object', additionalProperties: false },
  });
  return OBReadConsentResponse1;
}
