import { randomInt } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * @param length 18 for an organisation, 22 for a piece of software, as at the Open Banking directory
 * @returns a random id of letters and digits
 */
export function createDirectoryId(length: number): string {
  return Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');
}
