import type { SigningKey } from '#libs/jws';
import type { Readiness, ReadinessCheck } from './readiness.js';

/** How long an outcome counts, in milliseconds: anybody may ask for readiness, and each signature of a service costs something. */
const keptMilliseconds = 10_000;

/**
 * Adds the keys to what readiness depends on that sign somewhere else, of those that sign now: the first of each algorithm. The next key and
 * a retired one are only published. An instance without a key still answers what needs no signature.
 * @param now in milliseconds, from any moment on
 */
export function watchSigningKeys(
  readiness: Readiness,
  keys: readonly Pick<SigningKey, 'kid' | 'algorithm' | 'check'>[],
  now = (): number => performance.now(),
): void {
  for (const [index, { kid, algorithm, check }] of keys.entries()) {
    const isCurrent = keys.findIndex((key) => key.algorithm === algorithm) === index;
    if (isCurrent && check !== undefined) {
      readiness.add(`signing key ${kid}`, keepOutcome(check, now), { isShared: true });
    }
  }
}

function keepOutcome(check: () => Promise<void>, now: () => number): ReadinessCheck {
  let kept: { readonly outcome: Promise<void>; readonly until: number } | undefined;
  return () => {
    if (kept === undefined || now() >= kept.until) kept = { outcome: check(), until: now() + keptMilliseconds };
    return kept.outcome;
  };
}
