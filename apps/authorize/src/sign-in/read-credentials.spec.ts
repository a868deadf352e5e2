import { describe, expect, it } from '@jest/globals';
import { readCredentials, readOneTimeCode } from './read-credentials.js';

const form = (fields: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(fields));

describe('the credentials in a form', () => {
  it.each([
    ['with blanks around the user name alone', ' alex ', ' secret ', { username: 'alex', password: ' secret ' }],
    ['as long as any', 'u'.repeat(128), 'p'.repeat(256), { username: 'u'.repeat(128), password: 'p'.repeat(256) }],
  ])('go to the bank %s', (_title, username, password, credentials) => {
    expect(readCredentials(form({ username, password }))).toEqual(credentials);
  });

  it.each([
    ['no user name', {}, { name: 'usernameMissing' }],
    ['a blank user name', { username: ' ', password: 'p' }, { name: 'usernameMissing' }],
    ['no password', { username: 'alex' }, { name: 'passwordMissing', value: 'alex' }],
    ['a longer user name than any', { username: 'u'.repeat(129), password: 'p' }, { name: 'wrongCredentials' }],
    ['a longer password than any', { username: 'u', password: 'p'.repeat(257) }, { name: 'wrongCredentials' }],
    ['a control character in the user name', { username: 'a\u0000b', password: 'p' }, { name: 'wrongCredentials' }],
    ['a control character in the password', { username: 'a', password: 'p\n' }, { name: 'wrongCredentials' }],
  ])('are refused without asking the bank: %s', (_title, fields, mistake) => {
    expect(readCredentials(form(fields))).toEqual({ mistake });
  });
});

describe('the one-time code in a form', () => {
  it.each([
    ['1234', '1234'],
    ['123 456', '123456'],
    [' 12\t34 ', '1234'],
    ['ABCdef123456', 'ABCdef123456'],
  ])('%j goes to the bank as %s', (sent, oneTimeCode) => {
    expect(readOneTimeCode(form({ one_time_code: sent }))).toEqual({ oneTimeCode });
  });

  it.each([
    ['', 'codeMissing'],
    [' ', 'codeMissing'],
    ['123', 'wrongCode'],
    ['1'.repeat(13), 'wrongCode'],
    ['1234-5', 'wrongCode'],
    ['é1234', 'wrongCode'],
  ])('%j is refused without asking the bank: %s', (sent, problem) => {
    expect(readOneTimeCode(form({ one_time_code: sent }))).toEqual({ problem });
  });
});
