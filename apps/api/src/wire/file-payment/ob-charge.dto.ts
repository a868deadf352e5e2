import { describeMembers } from '#libs/api-description';

/** An amount of money. */
class OBActiveOrHistoricCurrencyAndAmount {}
describeMembers(OBActiveOrHistoricCurrencyAndAmount, {
  Amount: { type: 'string', pattern: '^[0-9]{1,13}([.][0-9]{1,5})?$', example: '25.00' },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$', example: 'GBP' },
});

/** Charge of the bank. */
export class OBCharge2 {}
describeMembers(OBCharge2, {
  ChargeBearer: {
    type: 'string',
    enum: ['BorneByCreditor', 'BorneByDebtor', 'FollowingServiceLevel', 'Shared'],
    description: 'Who pays the charge.',
  },
  Type: { type: 'string', example: 'UK.OBIE.CHAPSOut', description: 'What it is for.' },
  Amount: { type: OBActiveOrHistoricCurrencyAndAmount },
});
