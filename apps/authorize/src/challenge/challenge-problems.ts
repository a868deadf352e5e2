import type { FormProblem } from '../pages/page-models.js';

/** Why a challenge came to nothing. The PSU reads it on the page before, and may go on from there. */
const endings = {
  Expired: { message: 'problem.challengeExpired', code: 'ChallengeExpired' },
  Refused: { message: 'problem.challengeRefused', code: 'ChallengeRefused' },
  Used: { message: 'problem.challengeUsed', code: 'ChallengeUsed' },
  Changed: { message: 'problem.fileChanged', code: 'ChallengeChanged' },
} as const satisfies Record<string, Omit<FormProblem, 'fieldId'>>;

/** The form was made for another challenge than the one that is open now. */
export const otherChallenge: FormProblem = {
  fieldId: 'challenge-summary',
  message: 'problem.challengeReplaced',
  code: 'ChallengeReplaced',
};

/** Why there is no challenge to answer (any more). */
export type ChallengeEnding = keyof typeof endings;

/** @returns the problem as a page shows it; undefined for a word that is none of ours */
export function challengeProblem(ending: string | undefined, fieldId: string): FormProblem | undefined {
  const known = Object.entries(endings).find(([word]) => word === ending);
  return known && { fieldId, ...known[1] };
}
