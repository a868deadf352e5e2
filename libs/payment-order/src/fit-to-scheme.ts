import type { LocalInstrument } from '#libs/obie-rules';
import type { PaymentInstruction } from './payment-instruction.js';

/** A text whose end the scheme does not carry. */
export type ShortenedText = 'payeeName' | 'reference' | 'remittanceText' | 'endToEndIdentification';

/** The texts of a payment as a scheme carries them. */
export interface SchemeTexts {
  readonly creditorName: string;
  readonly endToEndIdentification?: string | undefined;
  readonly reference?: string | undefined;
  /** the roll number has taken the place of the reference */
  readonly isReferenceRollNumber?: true | undefined;
  readonly unstructured?: string | undefined;
  readonly shortened?: readonly ShortenedText[] | undefined;
}

type Texts = Pick<PaymentInstruction, 'creditorAccount' | 'endToEndIdentification' | 'reference' | 'unstructured'>;

/**
 * Maximum characters of each text under each scheme (domestic payment message formats, the same in v3.1 and v4.0).
 * Balance transfers stay in the bank, whose interface carries 140 characters of remittance text, as FPS does.
 */
const limits: Record<LocalInstrument, Readonly<Partial<Record<ShortenedText, number>>>> = {
  'UK.OBIE.FPS': { payeeName: 40, endToEndIdentification: 31, reference: 18, remittanceText: 140 },
  'UK.OBIE.BACS': { payeeName: 18, reference: 18, remittanceText: 140 },
  'UK.OBIE.CHAPS': { payeeName: 35, reference: 16, remittanceText: 70 },
  'UK.OBIE.BalanceTransfer': { remittanceText: 140 },
};

/**
 * Cuts texts to what the scheme carries. The API accepts the longer texts of the standard; they are cut only here, at
 * the upload. A roll number takes the place of the reference (domestic payment message formats, FPS and BACS).
 */
export function fitToScheme(payment: Texts, localInstrument: LocalInstrument): SchemeTexts {
  const { creditorAccount, endToEndIdentification, unstructured } = payment;
  const { Name, SecondaryIdentification: rollNumber } = creditorAccount;
  const limit = limits[localInstrument];
  const isRollNumberCarried = localInstrument === 'UK.OBIE.FPS' || localInstrument === 'UK.OBIE.BACS';
  const isReferenceRollNumber = isRollNumberCarried && rollNumber !== undefined;
  const reference = isReferenceRollNumber ? rollNumber : payment.reference;
  const shortened: ShortenedText[] = [];
  const cut = (text: string, name: ShortenedText): string => {
    const whole = limit[name];
    if (whole === undefined || firstCharacters(text, whole).length === text.length) return text;
    shortened.push(name);
    // Leading blanks go first: they could fill the whole text.
    return firstCharacters(text.trimStart(), whole);
  };
  return {
    creditorName: cut(Name, 'payeeName'),
    reference: reference && cut(reference, 'reference'),
    isReferenceRollNumber: isReferenceRollNumber || undefined,
    unstructured: unstructured && cut(unstructured, 'remittanceText'),
    endToEndIdentification: endToEndIdentification && cut(endToEndIdentification, 'endToEndIdentification'),
    shortened: shortened.length === 0 ? undefined : shortened,
  };
}

/** @returns the text, or only the beginning of a longer one; a character has one or two UTF-16 units */
function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
