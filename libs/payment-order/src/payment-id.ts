/** Hex digits that count the payments of a file. */
const countingDigits = 2;

/** Maximum payments of a file for which there are ids. */
export const mostPaymentIds = 16 ** countingDigits - 1;

/** Hex digits of a ConsentId that every PaymentId of its file begins with. */
const sharedDigits = 32 - countingDigits;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7. They are those of the ConsentId, which has only
 * one file. The last ones count the payments, as the least significant bits of a UUIDv7 may (RFC 9562 s6.2), so nothing
 * is stored or drawn for them.
 * @param consentId a UUIDv7
 * @param number place of the payment in its file, from 1
 */
export function paymentIdOf(consentId: string, number: number): string {
  return consentId.replaceAll('-', '').slice(0, sharedDigits) + number.toString(16).padStart(countingDigits, '0');
}

/** The same in SQL: what all ids of a consent begin with, computed once, and the id of the payment with a number. */
export const paymentIdSql = {
  prefixOf: (consentId: string): string => `left(replace(${consentId}::text, '-', ''), ${sharedDigits})`,
  of: (prefix: string, number: string): string => `${prefix} || lpad(to_hex(${number}), ${countingDigits}, '0')`,
} as const;

/**
 * The FilePaymentId of a consent, which pays one file once: its digits, with the twelve random bits after the version
 * inverted (RFC 9562 s5.7), so that it is never the ConsentId. It is derived, so that a database that has lost a file
 * payment by a restore or a failover makes it again under the id that the bank knows: the bank reserves no money twice,
 * and remembers a rejection.
 * @param consentId a UUIDv7
 */
export function filePaymentIdOf(consentId: string): string {
  const inverted = (0xfff - parseInt(consentId.slice(15, 18), 16)).toString(16).padStart(3, '0');
  return consentId.slice(0, 15) + inverted + consentId.slice(18);
}
