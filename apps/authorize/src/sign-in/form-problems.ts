import type { FormProblem } from '../pages/page-models.js';

/** @returns what is missing in the form of the sign-in, if anything */
export function findMissingField(username: string, password: string): FormProblem | undefined {
  if (username === '') return { fieldId: 'username', text: 'Enter your user name', code: 'UsernameMissing' };
  if (password === '') return { fieldId: 'password', text: 'Enter your password', code: 'PasswordMissing' };
  return undefined;
}

/** Does not say which of the two is wrong. */
export const wrongCredentials: FormProblem = {
  fieldId: 'username',
  text: 'The user name or the password is not right. Check both and try again.',
  code: 'InvalidCredentials',
};

export const missingCode: FormProblem = {
  fieldId: 'one-time-code',
  text: 'Enter your one-time code',
  code: 'OneTimeCodeMissing',
};

export const wrongCode: FormProblem = {
  fieldId: 'one-time-code',
  text: 'The one-time code is not right. Check it and try again.',
  code: 'InvalidCredentials',
};
