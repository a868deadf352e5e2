import { randomBytes } from 'node:crypto';

/** Octets of an id behind its time: version and rand_a, variant and rand_b. */
const octetsBehindTime = 10;

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7 (RFC 9562 s5.7). All ids of a file share one draw of
 * randomness, which is what most of their making would cost otherwise.
 * @returns `count` different ids
 */
export function createPaymentIds(count: number, now: Date): string[] {
  const time = now.getTime().toString(16).padStart(12, '0');
  const octets = randomBytes(count * octetsBehindTime);
  for (let at = 0; at < octets.length; at += octetsBehindTime) {
    octets.writeUInt8((octets.readUInt8(at) & 0x0f) | 0x70, at);
    octets.writeUInt8((octets.readUInt8(at + 2) & 0x3f) | 0x80, at + 2);
  }
  const digits = octets.toString('hex');
  const length = 2 * octetsBehindTime;
  return Array.from({ length: count }, (_, index) => time + digits.slice(index * length, (index + 1) * length));
}
