import { describedClass, type Members, textUpTo } from '#libs/api-description';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../example-file.js';

export const moment = { type: 'string', format: 'date-time' } as const;
/** A moment in the past. */
export const past = { ...moment, example: exampleTime };

export const consentId = textUpTo(128, { example: exampleConsentId });
/** The id in the answers on a consent itself. */
export const ownConsentId = textUpTo(128, { description: 'Id of the consent.', example: exampleConsentId });
export const paymentOrderId = textUpTo(40, { example: exampleFilePaymentId });

const Links = describedClass('Links', {
  Self: { type: 'string', format: 'uri', description: 'Absolute address of the resource.' },
});
/** Empty for payments. */
class Meta {}
/** Members of every answer besides Data. */
export const linksAndMeta = { Links: { type: Links }, Meta: { type: Meta } };

/**
 * @param data name of the class of Data, and its members
 * @param beside members besides Data, Links and Meta
 * @returns the class of an answer
 */
export function answerOf(className: string, [dataName, members]: readonly [string, Members], beside: Members = {}) {
  return describedClass(className, { Data: { type: describedClass(dataName, members) }, ...linksAndMeta, ...beside });
}

export const rollNumber = textUpTo(34, { description: 'Roll number at a building society.' });

/** The account that pays. */
export const OBDebtor = describedClass('OBDebtor', {
  SchemeName: { type: 'string', example: 'UK.OBIE.SortCodeAccountNumber' },
  Identification: { type: 'string', example: '20000110000001' },
  Name: { required: false, type: 'string' },
  SecondaryIdentification: { required: false, ...rollNumber },
});

/** An amount of money. */
const OBActiveOrHistoricCurrencyAndAmount = describedClass('OBActiveOrHistoricCurrencyAndAmount', {
  Amount: { type: 'string', pattern: '^[0-9]{1,13}([.][0-9]{1,5})?$', example: '25.00' },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$', example: 'GBP' },
});

/** Charge of the bank. */
export const OBCharge2 = describedClass('OBCharge2', {
  ChargeBearer: {
    type: 'string',
    enum: ['BorneByCreditor', 'BorneByDebtor', 'FollowingServiceLevel', 'Shared'],
    description: 'Who pays the charge.',
  },
  Type: { type: 'string', example: 'UK.OBIE.CHAPSOut', description: 'What it is for.' },
  Amount: { type: OBActiveOrHistoricCurrencyAndAmount },
});
