/** The payment types of this service. One file holds payments of one type. */
export const localInstruments = ['UK.OBIE.FPS', 'UK.OBIE.BACS', 'UK.OBIE.CHAPS', 'UK.OBIE.BalanceTransfer'] as const;

export type LocalInstrument = (typeof localInstruments)[number];

/** The type of a payment when neither it nor its consent names one. */
export const defaultLocalInstrument: LocalInstrument = 'UK.OBIE.FPS';

export function isLocalInstrument(value: string): value is LocalInstrument {
  return (localInstruments as readonly string[]).includes(value);
}
