import { ApiProperty } from '@nestjs/swagger';

export class Links {
  /** Absolute address of the resource. */
  @ApiProperty({ format: 'uri' })
  Self!: string;
}

/** Empty for payments. */
export class Meta {}
