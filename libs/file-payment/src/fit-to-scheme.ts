import type { LocalInstrument } from '#libs/obie-rules';

/** What a scheme carries of a payment's texts. */
export interface SchemeTexts {
  readonly creditorName: string;
  readonly endToEndIdentification?: string;
  readonly reference?: string;
  readonly unstructured?: string;
}

/** Most characters of each text under each scheme (domestic payment message formats). Balance transfers stay in the bank. */
const limits: Record<
  LocalInstrument,
  { creditorName?: number; endToEndIdentification?: number; reference?: number; unstructured?: number }
> = {
  'UK.OBIE.FPS': { creditorName: 40, endToEndIdentification: 31, reference: 18 },
  'UK.OBIE.BACS': { creditorName: 18, reference: 18 },
  'UK.OBIE.CHAPS': { creditorName: 35, reference: 16, unstructured: 70 },
  'UK.OBIE.BalanceTransfer': {},
};

/**
 * Cuts texts to what the scheme carries. The API takes the longer texts of the standard; they are cut here, when a
 * payment is handed over, and nowhere else. A roll number takes the place of the reference (FPS and BACS).
 */
export function fitToScheme({
  localInstrument,
  texts,
  secondaryIdentification,
}: {
  localInstrument: LocalInstrument;
  texts: SchemeTexts;
  secondaryIdentification?: string | undefined;
}): SchemeTexts {
  const limit = limits[localInstrument];
  const isRollNumberCarried = localInstrument === 'UK.OBIE.FPS' || localInstrument === 'UK.OBIE.BACS';
  const reference = isRollNumberCarried ? (secondaryIdentification ?? texts.reference) : texts.reference;
  const { endToEndIdentification, unstructured } = texts;
  return {
    creditorName: cut(texts.creditorName, limit.creditorName),
    ...(endToEndIdentification === undefined
      ? {}
      : { endToEndIdentification: cut(endToEndIdentification, limit.endToEndIdentification) }),
    ...(reference === undefined ? {} : { reference: cut(reference, limit.reference) }),
    ...(unstructured === undefined ? {} : { unstructured: cut(unstructured, limit.unstructured) }),
  };
}

function cut(text: string, longest: number | undefined): string {
  return longest === undefined ? text : Array.from(text).slice(0, longest).join('');
}
