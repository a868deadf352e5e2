import { describe, expect, it } from '@jest/globals';
import { defaultProfile } from '../../../../test/support/profile-settings.js';
import {
  isDemanded,
  isDemandedOfAll,
  profileOf,
  profileTable,
  type Demand,
  type ProfiledClient,
  type ProfileSettings,
} from './profile-table.js';

const demandsOf = (changes: Partial<ProfileSettings>, client: ProfiledClient = {}): string[] =>
  profileTable
    .map(({ demand }): Demand => demand)
    .filter((demand) => isDemanded(demand, client, { ...defaultProfile, ...changes }));

const ofEverybody = ['certificate-bound-tokens', 'issuer-in-response'];
const fapi1 = [
  'nonce-with-openid',
  'state-without-openid',
  'signed-request',
  'code-with-pkce-or-jarm',
  'pkce-when-pushed',
];
const fapi2 = [
  'asymmetric-authentication',
  'issuer-audience',
  'audience-as-text',
  'response-type-code',
  'pushed-request',
  'pkce',
  'code-of-60-seconds',
  'request-uri-below-600-seconds',
];

const of = (...fapiProfiles: ProfileSettings['fapiProfiles']) => ({ ...defaultProfile, fapiProfiles });

describe('the table of the security profile', () => {
  it('has each demand once, with the section it comes from', () => {
    const demands = profileTable.map(({ demand }) => demand);
    expect(new Set(demands).size).toBe(demands.length);
    for (const { section } of profileTable) expect(section).toMatch(/^(FAPI [12]\.0 [\w ]+ s\d|RFC \d+ s\d)/);
  });

  it.each<[ProfiledClient, readonly string[]]>([
    [{}, fapi1],
    [{ fapiProfile: 'fapi1-advanced' }, fapi1],
    [{ fapiProfile: 'fapi2-security' }, fapi2],
    [{ fapiProfile: 'fapi2-message-signing' }, [...fapi2, 'signed-request']],
  ])('demands from %j what its profile says', (client, expected) => {
    expect(demandsOf({}, client).toSorted()).toEqual([...expected, ...ofEverybody].toSorted());
  });

  it.each<[Partial<ProfileSettings>, string, boolean]>([
    [{ plainCodeFlow: 'allow' }, 'code-with-pkce-or-jarm', false],
    [{ plainCodeFlow: 'jarm-only' }, 'code-with-jarm', true],
    [{ clientAssertionAudience: 'issuer' }, 'issuer-audience', true],
    [{ refreshTokenRotation: 'always' }, 'refresh-rotation', true],
    [{ defaultScope: 'refuse' }, 'scope-at-token-endpoint', true],
  ])('%j changes %s and nothing else', (changes, demand, isThere) => {
    const others = demandsOf(changes).filter((each) => each !== demand);
    expect(demandsOf(changes).includes(demand)).toBe(isThere);
    expect(others).toEqual(demandsOf({}).filter((each) => each !== demand));
  });

  it('never rotates refresh tokens of FAPI 2.0 (Security Profile s5.3.2.1-9)', () => {
    const client = { fapiProfile: 'fapi2-security' } as const;
    expect(demandsOf({ refreshTokenRotation: 'always' }, client)).not.toContain('refresh-rotation');
  });

  it.each<[ProfiledClient, string]>([
    [{ requireIssuerAudience: true }, 'issuer-audience'],
    [{ requirePushedAuthorizationRequests: true }, 'pushed-request'],
    [{ authorizationSignedResponseAlg: 'PS256' }, 'code-with-jarm'],
  ])('demands more of a client with %j', (client, demand) => {
    expect(demandsOf({}, client)).toContain(demand);
    expect(demandsOf({})).not.toContain(demand);
  });

  it('demands a JWT response for a code of a client that registered one, also if the bank allows the plain flow', () => {
    const client = { authorizationSignedResponseAlg: 'PS256' } as const;
    expect(demandsOf({ plainCodeFlow: 'allow' }, client)).toContain('code-with-jarm');
  });

  it('demands none in FAPI 2.0', () => {
    const client = { authorizationSignedResponseAlg: 'PS256', fapiProfile: 'fapi2-security' } as const;
    expect(demandsOf({ plainCodeFlow: 'jarm-only' }, client)).not.toContain('code-with-jarm');
  });

  it.each<[ProfiledClient['fapiProfile'], ProfileSettings['fapiProfiles'], string]>([
    ['fapi1-advanced', ['fapi1-advanced', 'fapi2-security'], 'fapi1-advanced'],
    ['fapi2-security', ['fapi1-advanced', 'fapi2-security'], 'fapi2-security'],
    [undefined, ['fapi2-security'], 'fapi2-security'],
    ['fapi1-advanced', ['fapi2-message-signing', 'fapi2-security'], 'fapi2-message-signing'],
    ['fapi2-security', ['fapi2-message-signing'], 'fapi2-message-signing'],
    ['fapi2-message-signing', ['fapi1-advanced'], 'fapi2-message-signing'],
  ])('a client of %s, if the service has %j, follows %s', (fapiProfile, fapiProfiles, expected) => {
    const client = fapiProfile === undefined ? {} : { fapiProfile };
    expect(profileOf(client, { fapiProfiles })).toBe(expected);
    const changes = { fapiProfiles };
    expect(demandsOf(changes, client)).toEqual(demandsOf(changes, { fapiProfile: profileOf(client, changes) }));
  });

  it('binds existing clients to a profile of the service once it gives theirs up', () => {
    expect(demandsOf({ fapiProfiles: ['fapi2-security'] }, { fapiProfile: 'fapi1-advanced' })).toContain(
      'pushed-request',
    );
    expect(demandsOf({ fapiProfiles: ['fapi1-advanced'] }, { fapiProfile: 'fapi1-advanced' })).not.toContain(
      'pushed-request',
    );
  });

  it('something is demanded of all only if every profile of the service demands it', () => {
    expect(isDemandedOfAll('signed-request', of('fapi1-advanced', 'fapi2-message-signing'))).toBe(true);
    expect(isDemandedOfAll('signed-request', of('fapi1-advanced', 'fapi2-security'))).toBe(false);
    expect(isDemandedOfAll('pushed-request', of('fapi2-security', 'fapi2-message-signing'))).toBe(true);
  });
});
