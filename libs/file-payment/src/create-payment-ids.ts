import { randomBytes } from 'node:crypto';

/** Octets of an id behind its time: version and rand_a, variant and rand_b. */
const octetsBehindTime = 10;
/** Octets drawn at a time: enough for sixteen files. A draw for each would cost more than all the rest of its ids. */
const drawnOctets = 24_000;
let drawn = Buffer.alloc(0);

/** @returns octets that nobody else gets */
function drawOctets(length: number): Buffer {
  if (drawn.length < length) drawn = randomBytes(Math.max(length, drawnOctets));
  const own = drawn.subarray(0, length);
  drawn = drawn.subarray(length);
  return own;
}

/**
 * PaymentId has room for 35 characters: the 32 hex digits of a UUIDv7 (RFC 9562 s5.7).
 * @returns `count` different ids
 */
export function createPaymentIds(count: number, now: Date): string[] {
  const time = now.getTime().toString(16).padStart(12, '0');
  const octets = drawOctets(count * octetsBehindTime);
  for (let at = 0; at < octets.length; at += octetsBehindTime) {
    octets.writeUInt8((octets.readUInt8(at) & 0x0f) | 0x70, at);
    octets.writeUInt8((octets.readUInt8(at + 2) & 0x3f) | 0x80, at + 2);
  }
  const digits = octets.toString('hex');
  const length = 2 * octetsBehindTime;
  return Array.from({ length: count }, (_, index) => time + digits.slice(index * length, (index + 1) * length));
}
