import { ApiProperty } from '@nestjs/swagger';

/** The reason for a status. */
export class OBStatusReason {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 4, description: 'Code of ISO 20022, or of the standard.' })
  StatusReasonCode!: string;

  @ApiProperty({ type: 'string', minLength: 1, maxLength: 500 })
  StatusReasonDescription!: string;
}
