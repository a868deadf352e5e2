import { describe, expect, it } from '@jest/globals';
import type { AccessDetails, TokenAnswer } from './introspection.js';
import { verifyAccess, verifyPermission } from './verify-access.js';

const thumbprint = 'thumbprint-of-the-connection';
const details: AccessDetails = {
  type: 'account-access',
  api_version: '3.1',
  permissions: ['ReadAccountsBasic'],
  accounts: [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819' }],
};
const answer: TokenAnswer = {
  active: true,
  scope: 'openid accounts',
  sub: 'psu-1',
  cnf: { 'x5t#S256': thumbprint },
  authorization_details: [details],
};
const verify = (difference: Partial<TokenAnswer>, version: '3.1' | '4.0' = '3.1') =>
  verifyAccess({ ...answer, ...difference }, { thumbprint, version });
const otherDetails = (difference: Partial<AccessDetails>) => ({
  authorization_details: [{ ...details, ...difference }],
});

describe('whether a token opens account information', () => {
  it('accepts what the customer agreed to', () => {
    const access = { psuId: 'psu-1', permissions: details.permissions, accounts: details.accounts };
    expect(verify({})).toEqual(access);
    expect(verify({}, '4.0')).toEqual(access);
  });

  it.each([
    ['that is not valid', { active: false }],
    ['of another certificate', { cnf: { 'x5t#S256': 'another' } }],
    ['of no certificate', { cnf: {} }],
  ])('refuses a token %s', (_title, difference) => {
    expect(() => verify(difference)).toThrow('Unauthorised');
  });

  it.each([
    ['of another scope', { scope: 'openid payments' }, 'scope accounts'],
    ['whose scope only begins so', { scope: 'accountsX' }, 'scope accounts'],
    ['of the client itself', { authorization_details: [] }, 'belongs to no consent'],
    ['of no customer', { sub: undefined }, 'belongs to no consent'],
    ['of a consent of another kind', otherDetails({ type: 'funds-confirmation' }), 'belongs to no consent'],
    ['of a consent of a newer version', otherDetails({ api_version: '4.0' }), 'belongs to version 4.0'],
  ])('refuses one %s', (_title, difference, message) => {
    expect(() => verify(difference as Partial<TokenAnswer>)).toThrow(message);
  });

  it('requires one of the permissions of the resource', () => {
    const access = verify({});
    verifyPermission(access, 'ReadAccountsBasic', 'ReadAccountsDetail');
    expect(() => verifyPermission(access, 'ReadBalances')).toThrow('ReadBalances');
  });
});
