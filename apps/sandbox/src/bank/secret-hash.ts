import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
// 1 MB for each of the four threads instead of Node's default of 16 MB: these secrets are in the documentation.
const options: ScryptOptions = { cost: 1024 };
const saltLength = 16;
const hashLength = 32;

/** @returns salt and scrypt hash of a password or one-time code */
export async function hashSecret(secret: string): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  return Buffer.concat([salt, await derive(secret, salt, hashLength, options)]);
}

/**
 * @param secret the text entered
 * @param stored what {@link hashSecret} returned; without it the same work is done, so that the time does not reveal
 * whether the customer exists
 */
export async function isSecretOf(secret: string, stored: Buffer | undefined): Promise<boolean> {
  const salt = stored ? stored.subarray(0, saltLength) : randomBytes(saltLength);
  const hash = await derive(secret, salt, hashLength, options);
  return stored !== undefined && timingSafeEqual(hash, stored.subarray(saltLength));
}
