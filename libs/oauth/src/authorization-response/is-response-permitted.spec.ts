import { describe, expect, it } from '@jest/globals';
import type { FapiProfile, OAuthClient } from '../oauth-client.js';
import type { ProfileSettings } from '../security-profile/profile-table.js';
import { isResponsePermitted } from './is-response-permitted.js';

const settings: ProfileSettings = {
  fapiProfiles: ['fapi1-advanced', 'fapi2-security', 'fapi2-message-signing'],
  plainCodeFlow: 'refuse',
  clientAssertionAudience: 'endpoints',
  refreshTokenRotation: 'never',
  defaultScope: 'registered',
};
const codeChallenge = 'challenge';
const signed = { clientId: 'c1', algorithm: 'PS256' } as const;

type Answer = Parameters<typeof isResponsePermitted>[0];

const isPermitted = (
  answer: Answer,
  fapiProfile: FapiProfile,
  changed: Partial<ProfileSettings> = {},
  client: Partial<OAuthClient> = {},
): boolean =>
  isResponsePermitted(
    answer,
    { fapiProfile, responseTypes: ['code', 'code id_token'], ...client },
    { ...settings, ...changed },
  );

describe('the answer to a request that was verified before', () => {
  it.each<[string, Answer, boolean, boolean]>([
    ['code id_token', { responseType: 'code id_token' }, true, false],
    ['code id_token with PKCE', { responseType: 'code id_token', codeChallenge }, true, false],
    ['code with PKCE', { responseType: 'code', codeChallenge }, true, true],
    ['code in a JWT', { responseType: 'code', signed }, true, false],
    ['code with PKCE in a JWT', { responseType: 'code', codeChallenge, signed }, true, true],
    ['code alone', { responseType: 'code' }, false, false],
  ])('%s is given where the present profile allows it', (_title, answer, inFapi1, inFapi2) => {
    expect(isPermitted(answer, 'fapi1-advanced')).toBe(inFapi1);
    for (const profile of ['fapi2-security', 'fapi2-message-signing'] as const) {
      expect(isPermitted(answer, profile)).toBe(inFapi2);
    }
  });

  it.each<[string, Answer, Partial<OAuthClient>, boolean]>([
    [
      'code id_token, with code alone registered',
      { responseType: 'code id_token' },
      { responseTypes: ['code'] },
      false,
    ],
    ['code, with code alone registered', { responseType: 'code', codeChallenge }, { responseTypes: ['code'] }, true],
    [
      'code, with the hybrid flow alone',
      { responseType: 'code', codeChallenge },
      { responseTypes: ['code id_token'] },
      false,
    ],
    ['code, with no flow at all', { responseType: 'code', codeChallenge }, { responseTypes: [] }, false],
    [
      'code with PKCE, with JARM',
      { responseType: 'code', codeChallenge },
      { authorizationSignedResponseAlg: 'PS256' },
      false,
    ],
    ['code in a JWT, with JARM', { responseType: 'code', signed }, { authorizationSignedResponseAlg: 'PS256' }, true],
    ['code id_token, with JARM', { responseType: 'code id_token' }, { authorizationSignedResponseAlg: 'PS256' }, true],
  ])('%s registered at present', (_title, answer, client, isGiven) => {
    expect(isPermitted(answer, 'fapi1-advanced', {}, client)).toBe(isGiven);
  });

  it('is given to a client of FAPI 2.0 that has not registered code (Security Profile s5.3.2.2-1)', () => {
    const client = { responseTypes: ['code id_token'] } as const;
    expect(isPermitted({ responseType: 'code', codeChallenge }, 'fapi2-security', {}, client)).toBe(true);
  });

  it('follows the settings of the bank as well', () => {
    expect(isPermitted({ responseType: 'code' }, 'fapi1-advanced', { plainCodeFlow: 'allow' })).toBe(true);
    const strict = { plainCodeFlow: 'jarm-only' } as const;
    expect(isPermitted({ responseType: 'code', codeChallenge }, 'fapi1-advanced', strict)).toBe(false);
    expect(isPermitted({ responseType: 'code', signed }, 'fapi1-advanced', strict)).toBe(true);
    const only = { fapiProfiles: ['fapi2-security'] } as const;
    expect(isPermitted({ responseType: 'code id_token' }, 'fapi1-advanced', only)).toBe(false);
  });
});
