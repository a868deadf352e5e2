import type { Charge } from './initiation.js';

/**
 * @param localInstrument type of the payments in the file
 * @param chapsCharge decimal amount in GBP that the bank charges for CHAPS; undefined for none
 * @returns OBCharge2 entries; the same in consent and payment (Read/Write API 3.1.2, OBCharge2)
 */
export function chargesFor(localInstrument: string | undefined, chapsCharge: string | undefined): Charge[] {
  if (localInstrument !== 'UK.OBIE.CHAPS' || chapsCharge === undefined) return [];
  return [
    { ChargeBearer: 'BorneByDebtor', Type: 'UK.OBIE.CHAPSOut', Amount: { Amount: chapsCharge, Currency: 'GBP' } },
  ];
}
