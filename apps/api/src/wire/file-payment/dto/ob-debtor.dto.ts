import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The account that pays. */
export class OBDebtor {
  @ApiProperty({ type: 'string', example: 'UK.OBIE.SortCodeAccountNumber' })
  SchemeName!: string;

  @ApiProperty({ type: 'string', example: '20000110000001' })
  Identification!: string;

  @ApiPropertyOptional({ type: 'string' })
  Name?: string;

  @ApiPropertyOptional({
    type: 'string',
    minLength: 1,
    maxLength: 34,
    description: 'Roll number at a building society.',
  })
  SecondaryIdentification?: string;
}
