import type { SigningKey } from '#libs/jws';
import type { Readiness, ReadinessCheck } from './readiness.js';

/**
 * How long a result is cached, in milliseconds: readiness may be requested often, and each remote signature costs
 * something.
 */
const keptMilliseconds = 10_000;

/**
 * Adds the remote keys that currently sign to readiness: the first of each algorithm. The next key and retired ones are
 * only published. An instance without a key still answers requests that need no signature.
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
