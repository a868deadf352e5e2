import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';

/** @returns OBError1 of a version: one fault with the version's code and text */
export function obErrorOf({ ErrorCode, Message }: Readonly<Record<'ErrorCode' | 'Message', ApiPropertyOptions>>) {
  class OBError1 {
    @ApiProperty(ErrorCode)
    ErrorCode!: string;

    @ApiProperty(Message)
    Message!: string;

    @ApiPropertyOptional({
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Path of the faulty member, or name of the header.',
      example: 'Data.Initiation.FileHash',
    })
    Path?: string;

    @ApiPropertyOptional({
      type: 'string',
      format: 'uri',
      description: 'Page that explains the code: when it occurs and what to do.',
    })
    Url?: string;
  }
  return OBError1;
}
