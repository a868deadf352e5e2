import { describeOutcome, type Answer, type Outcome } from './exchange.js';
import type { Finding, Profile, Verdict } from './verdict.js';

/** @returns one row */
export function finding(profile: Profile, attack: string, verdict: Verdict, detail: string): Finding {
  return { profile, attack, verdict, detail };
}

/** @returns a row about a check that lacks something */
export function notRun(profile: Profile, attack: string, why: string): Finding {
  return finding(profile, attack, 'not run', why);
}

/**
 * Judges an outcome that must not be a success.
 * @param isHole whether an answer shows a hole
 */
export function judge(
  profile: Profile,
  attack: string,
  outcome: Outcome,
  isHole: (answer: Answer) => boolean,
): Finding {
  const detail = describeOutcome(outcome);
  if (outcome.kind === 'unreachable') return finding(profile, attack, 'failed', detail);
  if (outcome.kind === 'refused') return finding(profile, attack, 'held', detail);
  if (isBusy(outcome)) return finding(profile, attack, 'failed', `${detail}: try again later, or more slowly`);
  return finding(profile, attack, isHole(outcome) ? 'hole' : 'held', detail);
}

/** Whether the request was processed as that of a client with a certificate (see the probes of target.ts). */
export function isCounted({ isFromService, status }: Answer): boolean {
  return isFromService ? status !== 401 && status !== 403 && status !== 421 : status < 400;
}

/** Whether the service or something else answered the request. */
export function hasGotThrough({ isFromService, status }: Answer): boolean {
  return isFromService || status < 400;
}

/** Whether the answer does not judge the request, but says that something is overloaded or unavailable. */
export function isBusy({ status }: Answer): boolean {
  return status === 429 || status >= 500;
}
