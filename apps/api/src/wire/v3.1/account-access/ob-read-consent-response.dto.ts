import { ApiProperty } from '@nestjs/swagger';
import { readConsentAnswerOf, ReadConsentMembers } from '../../account-access/ob-read-consent-answer.dto.js';

/** Data of a consent. */
class OBReadConsentResponse1Data extends ReadConsentMembers {
  @ApiProperty({
    type: 'string',
    enum: ['AwaitingAuthorisation', 'Authorised', 'Rejected', 'Revoked'],
    description:
      'AwaitingAuthorisation: send the customer to the bank. Authorised: read. Rejected: the customer did not agree, or not in time. ' +
      'Revoked: the access has ended.',
  })
  Status!: string;
}

/** Answer of POST and GET /account-access-consents. */
export class OBReadConsentResponse1 extends readConsentAnswerOf(OBReadConsentResponse1Data) {}
