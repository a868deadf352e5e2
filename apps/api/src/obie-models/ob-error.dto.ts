import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class OBError1 {
  /** Low-level textual code. */
  @ApiProperty({ example: 'UK.OBIE.Field.Missing' })
  ErrorCode!: string;

  @ApiProperty({ minLength: 1, maxLength: 500 })
  Message!: string;

  /** Path of the member at fault, or the name of the header. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 500, example: 'Data.Initiation.FileHash' })
  Path?: string;

  @ApiPropertyOptional()
  Url?: string;
}

/** Body of every 400, 403 and 500. */
export class OBErrorResponse1 {
  @ApiProperty({ minLength: 1, maxLength: 40, example: '400 BadRequest' })
  Code!: string;

  /** Reference of this very error, to be quoted to the bank. */
  @ApiPropertyOptional({ minLength: 1, maxLength: 40 })
  Id?: string;

  @ApiProperty({ minLength: 1, maxLength: 500 })
  Message!: string;

  @ApiProperty({ type: [OBError1], minItems: 1 })
  Errors!: readonly OBError1[];
}
