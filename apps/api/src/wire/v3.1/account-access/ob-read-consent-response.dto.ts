import { ApiProperty } from '@nestjs/swagger';
import { ReadConsentMembers } from '../../account-access/ob-read-consent-answer.dto.js';
import { Links, Meta } from '../../file-payment/ob-links-meta.dto.js';

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
export class OBReadConsentResponse1 {
  @ApiProperty({ type: OBReadConsentResponse1Data })
  Data!: OBReadConsentResponse1Data;

  @ApiProperty({ type: 'object', additionalProperties: false })
  Risk!: object;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
