import type { FormProblem } from './page-models.js';

/** Everything that a form, or a challenge that failed, can make a page say. */
export const formProblems = {
  usernameMissing: { fieldId: 'username', message: 'problem.usernameMissing', code: 'UsernameMissing' },
  passwordMissing: { fieldId: 'password', message: 'problem.passwordMissing', code: 'PasswordMissing' },
  /** Does not say which of the two is wrong. */
  wrongCredentials: { fieldId: 'username', message: 'problem.wrongCredentials', code: 'InvalidCredentials' },
  codeMissing: { fieldId: 'one-time-code', message: 'problem.codeMissing', code: 'OneTimeCodeMissing' },
  wrongCode: { fieldId: 'one-time-code', message: 'problem.wrongCode', code: 'InvalidCredentials' },
  accountMissing: { fieldId: 'debtor-account-0', message: 'problem.accountMissing', code: 'DebtorAccountMissing' },
  accountUnusable: { fieldId: 'debtor-account-0', message: 'problem.accountUnusable', code: 'DebtorAccountUnusable' },
  accountsMissing: { fieldId: 'accounts-0', message: 'problem.accountsMissing', code: 'AccountsMissing' },
  fileChanged: { fieldId: 'payments-title', message: 'problem.fileChanged', code: 'FileChanged' },
  /** The form belongs to a challenge other than the current one. */
  otherChallenge: { fieldId: 'challenge-summary', message: 'problem.challengeReplaced', code: 'ChallengeReplaced' },
  secondFactorUsed: { fieldId: 'again', message: 'problem.challengeUsed', code: 'ChallengeUsed' },
} as const satisfies Record<string, FormProblem>;

/** Names one of them. */
export type FormProblemName = keyof typeof formProblems;
