import { isValidBBAN } from 'ibantools';

const form = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
/** Check digits are 98 minus a remainder below 97 (ISO 7064), so no others occur. */
const checkDigits = { least: 2, most: 98 } as const;
const [zero, nine, ten] = [0x30, 0x39, 0x41 - 10];

/**
 * An IBAN (ISO 13616): the country's form of account numbers, national check digits if they are known, and the check
 * digits of the IBAN.
 * @param text in its electronic form: capital letters and digits, no spaces
 */
export function isIban(text: string): boolean {
  if (!form.test(text)) return false;
  const digits = Number(text.slice(2, 4));
  if (digits < checkDigits.least || digits > checkDigits.most) return false;
  return remainder97(text) === 1 && isValidBBAN(text.slice(4), text.slice(0, 2));
}

/** MOD 97-10 (ISO 7064) of an IBAN with its first four characters behind the others, and with letters as 10 to 35. */
function remainder97(iban: string): number {
  let remainder = 0;
  for (let index = 4; index < iban.length + 4; index += 1) {
    const unit = iban.charCodeAt(index % iban.length);
    remainder = unit <= nine ? remainder * 10 + (unit - zero) : remainder * 100 + (unit - ten);
    // The next character multiplies it by at most 100, so it stays far below 2^53.
    if (remainder > 1e9) remainder %= 97;
  }
  return remainder % 97;
}
