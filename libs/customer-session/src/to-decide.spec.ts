import { describe, expect, it } from '@jest/globals';
import { type AccessToDecideRow, isAccessDecidable, toAccessToDecide } from './access-to-decide.js';
import { type ConsentToDecideRow, isAwaitingAuthorisation, toConsentToDecide } from './consent-to-decide.js';

const now = new Date('2030-01-15T12:00:00Z');
const at = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);

const access: AccessToDecideRow = {
  consent_id: 'id',
  access_kind: 'account-access',
  access_status: 'AwaitingAuthorisation',
  access_expires_at: null,
  access_terms: { permissions: [] },
  access_psu_id: null,
  access_accounts: null,
};
const consent: ConsentToDecideRow = {
  consent_id: 'id',
  consent_status: 'AwaitingAuthorisation',
  consent_expires_at: at(1),
  initiation: '{}',
  conditions: {},
  charges: '[]',
  local_instrument: null,
  instructions: null,
  approval_hash: null,
};

describe('access', () => {
  it.each<[string, Partial<AccessToDecideRow>, boolean]>([
    ['awaits its customer', {}, true],
    ['lasts a little longer', { access_expires_at: at(1) }, true],
    ['ends now', { access_expires_at: now }, false],
    ['was authorised by the same customer', { access_status: 'Authorised', access_psu_id: 'psu-1' }, true],
    ['was withdrawn by the same customer', { access_status: 'Withdrawn', access_psu_id: 'psu-1' }, true],
    ['was authorised by another customer', { access_status: 'Authorised', access_psu_id: 'psu-2' }, false],
    ['was rejected', { access_status: 'Rejected' }, false],
    ['was revoked', { access_status: 'Revoked', access_psu_id: 'psu-1' }, false],
    ['has expired', { access_status: 'Expired', access_psu_id: 'psu-1' }, false],
  ])('that %s', (_title, differences, isDecidable) => {
    const found = toAccessToDecide({ ...access, ...differences });
    expect(found && isAccessDecidable(found, { psuId: 'psu-1', now })).toBe(isDecidable);
  });

  it('is shown with its end, its customer and accounts, where it has them', () => {
    const shown = {
      consentId: 'id',
      kind: 'account-access',
      status: 'AwaitingAuthorisation',
      terms: { permissions: [] },
    };
    expect(toAccessToDecide(access)).toEqual({ ...shown, accounts: [] });
    const accounts = [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Household' }];
    const whole = { ...access, access_expires_at: at(1), access_psu_id: 'psu-1', access_accounts: accounts };
    expect(toAccessToDecide(whole)).toEqual({ ...shown, accounts, expiresAt: at(1), psuId: 'psu-1' });
  });

  it.each(['consent_id', 'access_kind', 'access_status', 'access_terms'])('is none without %s', (column) => {
    expect(toAccessToDecide({ ...access, [column]: null })).toBeUndefined();
  });
});

describe('a consent for payments', () => {
  it.each<[string, Partial<ConsentToDecideRow>, boolean]>([
    ['awaits its customer', {}, true],
    ['ends now', { consent_expires_at: now }, false],
    ['was authorised', { consent_status: 'Authorised' }, false],
  ])('that %s', (_title, differences, isDecidable) => {
    const found = toConsentToDecide({ ...consent, ...differences });
    expect(found && isAwaitingAuthorisation(found, now)).toBe(isDecidable);
  });

  it('is shown with its payments, where it has them', () => {
    const { consent_id: consentId, consent_status: status, initiation, conditions, charges } = consent;
    const shown = { consentId, status, expiresAt: at(1), initiation, conditions, charges };
    expect(toConsentToDecide(consent)).toEqual(shown);
    const list = { local_instrument: 'UK.OBIE.FPS', instructions: '{}', approval_hash: Buffer.alloc(32) };
    const listed = { localInstrument: 'UK.OBIE.FPS', instructions: '{}', approvalHash: Buffer.alloc(32) };
    expect(toConsentToDecide({ ...consent, ...list })).toEqual({ ...shown, ...listed });
  });

  it.each(['consent_id', 'consent_status', 'consent_expires_at', 'initiation', 'conditions', 'charges'])(
    'is none without %s',
    (column) => {
      expect(toConsentToDecide({ ...consent, [column]: null })).toBeUndefined();
    },
  );
});
