import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const saltLength = 16;
const hashLength = 32;

/** @returns salt and scrypt hash (Node's default cost, N = 16384) of a password or one-time code */
export async function hashSecret(secret: string): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  return Buffer.concat([salt, await derive(secret, salt, hashLength)]);
}

/**
 * @param secret what somebody typed
 * @param stored what {@link hashSecret} returned; without it the work is done all the same, so that the time taken does
 * not tell whether there is such a customer
 */
export async function isSecretOf(secret: string, stored: Buffer | undefined): Promise<boolean> {
  const salt = stored ? stored.subarray(0, saltLength) : randomBytes(saltLength);
  const hash = await derive(secret, salt, hashLength);
  return stored !== undefined && timingSafeEqual(hash, stored.subarray(saltLength));
}
