import { ApiProperty } from '@nestjs/swagger';

/** An amount of money. */
class OBActiveOrHistoricCurrencyAndAmount {
  @ApiProperty({ type: 'string', pattern: '^[0-9]{1,13}([.][0-9]{1,5})?$', example: '25.00' })
  Amount!: string;

  @ApiProperty({ type: 'string', pattern: '^[A-Z]{3}$', example: 'GBP' })
  Currency!: string;
}

/** Charge of the bank. */
export class OBCharge2 {
  @ApiProperty({
    type: 'string',
    enum: ['BorneByCreditor', 'BorneByDebtor', 'FollowingServiceLevel', 'Shared'],
    description: 'Who pays the charge.',
  })
  ChargeBearer!: string;

  @ApiProperty({ type: 'string', example: 'UK.OBIE.CHAPSOut', description: 'What it is for.' })
  Type!: string;

  @ApiProperty({ type: OBActiveOrHistoricCurrencyAndAmount })
  Amount!: OBActiveOrHistoricCurrencyAndAmount;
}
