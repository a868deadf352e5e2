import { randomBytes } from 'node:crypto';

/** Hex digits of randomness in one id: 3 of rand_a, 1 for the variant, 15 of rand_b. */
const randomDigits = 19;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7 (RFC 9562 s5.7). All ids of a file share one draw of
 * randomness, which is what most of their making would cost otherwise.
 * @returns `count` different ids
 */
export function createPaymentIds(count: number, now: Date): string[] {
  const time = now.getTime().toString(16).padStart(12, '0');
  const random = randomBytes(Math.ceil((count * randomDigits) / 2)).toString('hex');
  return Array.from({ length: count }, (_, index) => {
    const own = random.slice(index * randomDigits, (index + 1) * randomDigits);
    const variant = '89ab'[Number.parseInt(own.charAt(3), 16) % 4] ?? '8';
    return `${time}7${own.slice(0, 3)}${variant}${own.slice(4)}`;
  });
}
