import { ApiProperty } from '@nestjs/swagger';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import { Links, Meta } from '../file-payment/ob-links-meta.dto.js';

/** Members of Data of a consent, without its status and what it requests. */
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

/** Members of every answer beside Data. */
export class LinksAndMeta {
  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
