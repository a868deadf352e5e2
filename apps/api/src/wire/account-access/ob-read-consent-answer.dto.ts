import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { permissions } from '#libs/obie-rules';
import { exampleConsentId, exampleTime } from '../file-payment/example-file.js';
import { Links, Meta } from '../file-payment/ob-links-meta.dto.js';

/** Data of a consent, but for its state. */
export class ReadConsentMembers {
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

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...permissions] }, minItems: 1 })
  Permissions!: readonly string[];

  @ApiPropertyOptional({ type: 'string', format: 'date-time', description: 'When the access ends.' })
  ExpirationDateTime?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  TransactionFromDateTime?: string;

  @ApiPropertyOptional({ type: 'string', format: 'date-time' })
  TransactionToDateTime?: string;
}

/** @returns what the answer of POST and GET /account-access-consents is made of, with Data of this class */
export function readConsentAnswerOf<Data extends ReadConsentMembers>(type: new () => Data) {
  class ReadConsentAnswer {
    @ApiProperty({ type })
    Data!: Data;

    @ApiProperty({ type: 'object', additionalProperties: false })
    Risk!: object;

    @ApiProperty({ type: Links })
    Links!: Links;

    @ApiProperty({ type: Meta })
    Meta!: Meta;
  }
  return ReadConsentAnswer;
}
