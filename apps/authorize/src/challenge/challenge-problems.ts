import type { FormProblem } from '../pages/page-models.js';

/** Why a challenge came to nothing. The PSU reads it on the page before, and may go on from there. */
const endings = {
  Expired: 'problem.challengeExpired',
  Refused: 'problem.challengeRefused',
  Used: 'problem.challengeUsed',
  Changed: 'problem.fileChanged',
} as const;

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
  return known && { fieldId, message: known[1], code: `Challenge${known[0]}` };
}
