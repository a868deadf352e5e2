import { ApiProperty } from '@nestjs/swagger';

/** Addresses. */
export class Links {
  @ApiProperty({ type: 'string', format: 'uri', description: 'Absolute address of the resource.' })
  Self!: string;
}

/** Empty for payments. */
export class Meta {}
