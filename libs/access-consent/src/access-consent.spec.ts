import { describe, expect, it } from '@jest/globals';
import { type AccessConsentRow, toAccessConsent } from './access-consent.js';
import { accessKindOf } from './access-kind.js';

const now = new Date('2030-01-15T12:00:00Z');
const created = new Date('2030-01-01T12:00:00Z');
const row: AccessConsentRow = {
  consent_id: 'id',
  client_id: 'client',
  kind: 'account-access',
  api_version: '4.0',
  status: 'Authorised',
  status_reason: null,
  created_at: created,
  status_updated_at: created,
  terms: { permissions: [] },
  accounts: null,
  expires_at: now,
};

describe('a consent to access', () => {
  it.each([
    ['AwaitingAuthorisation', 'Rejected'],
    ['Authorised', 'Expired'],
    ['Withdrawn', 'Expired'],
  ] as const)('%s is %s from its end on, before it is stored', (status, ended) => {
    const before = toAccessConsent({ ...row, status }, new Date(now.getTime() - 1));
    expect(before).toMatchObject({ status, statusUpdatedAt: created, accounts: [] });
    expect(before).not.toHaveProperty('statusReason');
    const after = { status: ended, statusReason: 'Expired', statusUpdatedAt: now };
    expect(toAccessConsent({ ...row, status }, now)).toMatchObject(after);
    expect(toAccessConsent({ ...row, status, expires_at: null }, now)).toMatchObject({ status });
  });

  it.each(['Rejected', 'Revoked', 'Expired'] as const)('%s stays so after its end', (status) => {
    expect(toAccessConsent({ ...row, status }, now)).toMatchObject({ status, statusUpdatedAt: created });
  });
});

it.each([
  ['openid accounts', 'account-access'],
  ['fundsconfirmations', 'funds-confirmation'],
  ['accounts fundsconfirmations', undefined],
  ['accounts payments', undefined],
  ['openid payments', undefined],
  ['openid', undefined],
])('the scope %j is for access of the kind %s', (scope, kind) => {
  expect(accessKindOf(scope.split(' '))?.name).toBe(kind);
});
