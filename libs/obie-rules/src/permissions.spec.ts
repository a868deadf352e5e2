import { describe, expect, it } from '@jest/globals';
import { findMissingPermission } from './permissions.js';

describe('permissions', () => {
  it.each([
    ['ReadAccountsBasic'],
    ['ReadAccountsDetail ReadBalances'],
    ['ReadAccountsBasic ReadTransactionsBasic ReadTransactionsCredits'],
    ['ReadAccountsBasic ReadTransactionsDetail ReadTransactionsDebits'],
  ])('%s lack nothing', (asked) => {
    expect(findMissingPermission(asked.split(' '))).toBeUndefined();
  });

  it.each([
    ['ReadBalances', 'ReadAccountsBasic or ReadAccountsDetail'],
    ['ReadAccountsBasic ReadTransactionsBasic', 'ReadTransactionsCredits or ReadTransactionsDebits'],
    ['ReadAccountsBasic ReadTransactionsDetail', 'ReadTransactionsCredits or ReadTransactionsDebits'],
    ['ReadAccountsBasic ReadTransactionsCredits', 'ReadTransactionsBasic or ReadTransactionsDetail'],
    ['ReadAccountsBasic ReadTransactionsDebits', 'ReadTransactionsBasic or ReadTransactionsDetail'],
  ])('%s lack %s', (asked, missing) => {
    expect(findMissingPermission(asked.split(' '))).toMatch(new RegExp(`^must contain ${missing}`));
  });
});
