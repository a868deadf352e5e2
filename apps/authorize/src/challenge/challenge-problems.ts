import type { FormProblem } from '../pages/page-models.js';

/** Why a challenge failed. The PSU sees it on the previous page and may continue there. */
const endings = {
  Expired: { message: 'problem.challengeExpired', code: 'ChallengeExpired' },
  Refused: { message: 'problem.challengeRefused', code: 'ChallengeRefused' },
  Used: { message: 'problem.challengeUsed', code: 'ChallengeUsed' },
  Changed: { message: 'problem.fileChanged', code: 'ChallengeChanged' },
} as const satisfies Record<string, Omit<FormProblem, 'fieldId'>>;

/** Why there is no challenge to answer. */
export type ChallengeEnding = keyof typeof endings;

/** @returns the problem as a page shows it; undefined for an unknown value */
export function challengeProblem(ending: string | undefined, fieldId: string): FormProblem | undefined {
  const known = Object.entries(endings).find(([word]) => word === ending);
  return known && { fieldId, ...known[1] };
}
