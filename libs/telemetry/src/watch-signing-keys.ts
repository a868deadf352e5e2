import type { SigningKey } from '#libs/jws';
import type { Readiness } from './readiness.js';

/** Adds the keys to what readiness depends on that sign somewhere else. An instance without one still answers what needs no signature. */
export function watchSigningKeys(readiness: Readiness, keys: readonly Pick<SigningKey, 'kid' | 'check'>[]): void {
  for (const { kid, check } of keys) {
    if (check !== undefined) readiness.add(`signing key ${kid}`, check, { isShared: true });
  }
}
