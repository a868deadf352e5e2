import { describe, expect, it } from '@jest/globals';
import type { FapiProfile } from '../oauth-client.js';
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

const isPermitted = (answer: Answer, fapiProfile: FapiProfile, changed: Partial<ProfileSettings> = {}): boolean =>
  isResponsePermitted(answer, { fapiProfile }, { ...settings, ...changed });

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

  it('is a JWT where the client has registered for that since', () => {
    const client = { fapiProfile: 'fapi1-advanced', authorizationSignedResponseAlg: 'PS256' } as const;
    expect(isResponsePermitted({ responseType: 'code', codeChallenge }, client, settings)).toBe(false);
    expect(isResponsePermitted({ responseType: 'code', codeChallenge, signed }, client, settings)).toBe(true);
    expect(isResponsePermitted({ responseType: 'code id_token' }, client, settings)).toBe(true);
  });

  it('follows the settings of the bank as well', () => {
    expect(isPermitted({ responseType: 'code' }, 'fapi1-advanced', { plainCodeFlow: 'allow' })).toBe(true);
    const only = { fapiProfiles: ['fapi2-security'] } as const;
    expect(isPermitted({ responseType: 'code id_token' }, 'fapi1-advanced', only)).toBe(false);
  });
});
