/** Hex digits of a ConsentId that every PaymentId of its file begins with. */
const sharedDigits = 30;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7. They are those of the ConsentId, which has one
 * file forever; the last two count the payments, as the least significant bits of a UUIDv7 may (RFC 9562 s6.2), so that
 * nothing has to be stored or drawn for them.
 * @param consentId a UUIDv7
 * @param number place of the payment in its file, 1 to 255
 */
export function paymentIdOf(consentId: string, number: number): string {
  return consentId.replaceAll('-', '').slice(0, sharedDigits) + number.toString(16).padStart(2, '0');
}

/** The same in SQL: what all ids of a consent begin with, computed once, and the id of the payment with a number. */
export const paymentIdSql = {
  prefixOf: (consentId: string): string => `left(replace(${consentId}::text, '-', ''), ${sharedDigits})`,
  of: (prefix: string, number: string): string => `${prefix} || lpad(to_hex(${number}), 2, '0')`,
} as const;
