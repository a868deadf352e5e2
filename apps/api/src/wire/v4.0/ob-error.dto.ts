import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One thing that is wrong. */
class OBError1 {
  @ApiProperty({ type: 'string', minLength: 4, maxLength: 4, description: 'Code of the standard.', example: 'U004' })
  ErrorCode!: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    description: 'Name of the code, then what is wrong, and what holds instead.',
  })
  Message?: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    description: 'Path of the member at fault, or the name of the header.',
    example: 'Data.Initiation.FileHash',
  })
  Path?: string;

  @ApiPropertyOptional({ type: 'string', format: 'uri', description: 'Page of the code: when it comes, what to do.' })
  Url?: string;
}

/** Body of every 400, 403, 409, 422 and 500. */
export class OBErrorResponse1 {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 40, description: 'Reference of this very error.' })
  Id?: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    deprecated: true,
    description: 'What holds of the whole request.',
  })
  Message?: string;

  @ApiProperty({ type: [OBError1], minItems: 1, maxItems: 100, description: 'Everything that was found.' })
  Errors!: readonly OBError1[];
}
