import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { readConsentAnswerOf, ReadConsentMembers } from '../../account-access/ob-read-consent-answer.dto.js';
import { OBStatusReason } from '../file-payment/dto/ob-answer-parts.dto.js';

/** Data of a consent. */
class OBReadConsentResponse1Data extends ReadConsentMembers {
  @ApiProperty({
    type: 'string',
    enum: ['AWAU', 'AUTH', 'RJCT', 'CANC', 'EXPD'],
    description:
      'AWAU: send the customer to the bank. AUTH: read. RJCT: the customer did not agree, or not in time. CANC: the access was withdrawn. ' +
      'EXPD: its time is over.',
  })
  Status!: string;

  @ApiPropertyOptional({ type: [OBStatusReason], description: 'Why it is there, where the state does not say it all.' })
  StatusReason?: readonly OBStatusReason[];
}

/** Answer of POST and GET /account-access-consents. */
export class OBReadConsentResponse1 extends readConsentAnswerOf(OBReadConsentResponse1Data) {}
