import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One thing that is wrong. */
class OBError1 {
  @ApiProperty({
    type: 'string',
    minLength: 1,
    maxLength: 128,
    description: "Code of the standard, or of the bank's own.",
    example: 'UK.OBIE.Field.Missing',
  })
  ErrorCode!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 500, description: 'What is wrong, and what holds instead.' })
  Message!: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 500,
    description: 'Path of the member at fault, or the name of the header.',
    example: 'Data.Initiation.FileHash',
  })
  Path?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'uri',
    description: 'Page of the code: when it comes, and what to do.',
  })
  Url?: string;
}

/** Body of every 400, 403 and 500. */
export class OBErrorResponse1 {
  @ApiProperty({ type: 'string', enum: ['400 BadRequest', '403 Forbidden', '500 InternalServerError'] })
  Code!: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 40,
    description: 'Reference of this very error, to be quoted to the bank.',
  })
  Id?: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 500 })
  Message!: string;

  @ApiProperty({ type: [OBError1], minItems: 1, maxItems: 100, description: 'Everything that was found.' })
  Errors!: readonly OBError1[];
}
