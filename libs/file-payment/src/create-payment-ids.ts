import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const octetsPerId = 16;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7. All ids of a file share one draw of randomness,
 * which is what most of their making would cost otherwise.
 * @returns `count` different ids
 */
export function createPaymentIds(count: number, now: Date): string[] {
  const random = randomBytes(octetsPerId * count);
  return Array.from({ length: count }, (_, index) => {
    const own = random.subarray(index * octetsPerId, (index + 1) * octetsPerId);
    return uuidv7({ random: own, msecs: now.getTime() }).replaceAll('-', '');
  });
}
