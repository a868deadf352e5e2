import type { FormProblem } from '../pages/page-models.js';

/** @returns what is missing in the sign-in form, if anything */
export function findMissingField(username: string, password: string): FormProblem | undefined {
  if (username === '') return { fieldId: 'username', message: 'problem.usernameMissing', code: 'UsernameMissing' };
  if (password === '') return { fieldId: 'password', message: 'problem.passwordMissing', code: 'PasswordMissing' };
  return undefined;
}

/** Does not say which of the two is wrong. */
export const wrongCredentials: FormProblem = {
  fieldId: 'username',
  message: 'problem.wrongCredentials',
  code: 'InvalidCredentials',
};

export const missingCode: FormProblem = {
  fieldId: 'one-time-code',
  message: 'problem.codeMissing',
  code: 'OneTimeCodeMissing',
};

export const wrongCode: FormProblem = {
  fieldId: 'one-time-code',
  message: 'problem.wrongCode',
  code: 'InvalidCredentials',
};
