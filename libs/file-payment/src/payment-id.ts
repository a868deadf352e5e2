/** Hex digits of a ConsentId that every PaymentId of its file begins with. */
const sharedDigits = 30;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7. They are those of the ConsentId, which has one file for ever; the last two
 * count the payments, as the least significant bits of a UUIDv7 may (RFC 9562 s6.2), so that nothing has to be stored or drawn for them.
 * @param consentId a UUIDv7
 * @param number place of the payment in its file, 1 to 255
 */
export function paymentIdOf(consentId: string, number: number): string {
  return consentId.replaceAll('-', '').slice(0, sharedDigits) + number.toString(16).padStart(2, '0');
}

/**
 * The same in SQL: an array of text.
 * @param consentId,count expressions: the consent, and how many payments its file has
 */
export function paymentIdsSql(consentId: string, count: string): string {
  return `ARRAY(
    SELECT left(replace(${consentId}::text, '-', ''), ${sharedDigits}) || lpad(to_hex(number), 2, '0')
      FROM generate_series(1, ${count}) AS number ORDER BY number)`;
}
