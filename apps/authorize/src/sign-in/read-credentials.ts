import type { CarriedWord } from '../pages/carried-word.js';
import type { FormProblemName } from '../pages/form-problems.js';

/** A form as it came; fields sent empty are absent. */
type Form = ReadonlyMap<string, string>;

/** What a sign-in form holds, or its faults before the bank is asked. */
export type Credentials =
  | { readonly username: string; readonly password: string; readonly mistake?: undefined }
  | { readonly mistake: CarriedWord };

/** @returns user name and password as the bank takes them */
export function readCredentials(form: Form): Credentials {
  const username = form.get('username')?.trim() ?? '';
  const password = form.get('password') ?? '';
  if (username === '') return { mistake: { name: 'usernameMissing' } };
  // No credentials are that long or have control characters, and the bank does not accept them.
  const isTooLong = username.length > 128;
  // The word for the page has no room for a longer one.
  if (password === '') return { mistake: { name: 'passwordMissing', value: isTooLong ? undefined : username } };
  const isImpossible = isTooLong || password.length > 256 || /\p{Cc}/u.test(username + password);
  return isImpossible ? { mistake: { name: 'wrongCredentials' } } : { username, password };
}

/** What the form of the second factor holds, or its faults before the bank is asked. */
export type OneTimeCode =
  | { readonly oneTimeCode: string; readonly problem?: undefined }
  | { readonly oneTimeCode?: undefined; readonly problem: FormProblemName };

/** @returns the code without the blanks in which people group it, as it is shown to them */
export function readOneTimeCode(form: Form): OneTimeCode {
  const oneTimeCode = form.get('one_time_code')?.replace(/\s/g, '') ?? '';
  if (oneTimeCode === '') return { problem: 'codeMissing' };
  // No code of the bank looks like anything else, so it is not asked, and the attempt does not count.
  return /^[0-9A-Za-z]{4,12}$/.test(oneTimeCode) ? { oneTimeCode } : { problem: 'wrongCode' };
}
