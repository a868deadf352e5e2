import { ApiProperty } from '@nestjs/swagger';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import { Links, Meta } from '../file-payment/ob-links-meta.dto.js';

/** Data of a consent, but for its state and what it asks for. */
export class ConsentMembers {
  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 128,
    description: 'Id of the consent.',
    example: exampleConsentId,
  })
  ConsentId!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  CreationDateTime!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;
}

/** What every answer has beside Data. */
export class LinksAndMeta {
  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
