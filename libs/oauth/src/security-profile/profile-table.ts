import { fapiProfiles, type FapiProfile, type OAuthClient } from '../oauth-client.js';

/** What the bank decides where the profiles leave it open, or where it deviates from them. */
export interface ProfileSettings {
  /** profiles that clients may have here; the first is for clients without one */
  readonly fapiProfiles: readonly FapiProfile[];
  /**
   * What `code` of FAPI 1.0 needs: nothing more (`allow`), PKCE or a JWT response mode (`refuse`), or the JWT response
   * mode of the profile; the first two deviate from it
   */
  readonly plainCodeFlow: 'allow' | 'refuse' | 'jarm-only';
  /** what client assertions may name as audience: the issuer alone, or the endpoints as well */
  readonly clientAssertionAudience: 'endpoints' | 'issuer';
  readonly refreshTokenRotation: 'never' | 'always';
  /** what a token request without scope gets */
  readonly defaultScope: 'registered' | 'refuse';
}

/** What may be demanded of a client. */
export type Demand = (typeof profileTable)[number]['demand'];

/** What the demands on a client depend on. */
export type ProfiledClient = Pick<
  OAuthClient,
  'requireIssuerAudience' | 'fapiProfile' | 'requirePushedAuthorizationRequests' | 'authorizationSignedResponseAlg'
>;

/** One requirement. */
interface ProfileRow<Name extends string> {
  readonly demand: Name;
  readonly section: string;
  /** those that have it */
  readonly profiles: readonly FapiProfile[];
  /** when it applies to them; default: always */
  readonly when?: (settings: ProfileSettings, client: ProfiledClient) => boolean;
  /** when it also applies to clients of any profile */
  readonly also?: (client: ProfiledClient, settings: ProfileSettings) => boolean;
}

const row = <Name extends string>(made: ProfileRow<Name>): ProfileRow<Name> => made;

const everybody = fapiProfiles;
const fapi1 = ['fapi1-advanced'] as const;
const fapi2 = ['fapi2-security', 'fapi2-message-signing'] as const;

/**
 * Which checks apply to a client: the only place that decides. Authorization endpoint, pushed requests, token endpoint
 * and discovery ask it and nothing else.
 */
export const profileTable = [
  // --- FAPI 1.0 Part 1: Baseline, 5.2.2
  row({ demand: 'nonce-with-openid', section: 'FAPI 1.0 Baseline s5.2.2.2-1', profiles: fapi1 }),
  row({ demand: 'state-without-openid', section: 'FAPI 1.0 Baseline s5.2.2.3-1', profiles: fapi1 }),
  // --- FAPI 1.0 Part 2: Advanced, 5.2.2
  row({
    demand: 'signed-request',
    section: 'FAPI 1.0 Advanced s5.2.2-1, FAPI 2.0 Message Signing s5.3.1',
    profiles: ['fapi1-advanced', 'fapi2-message-signing'],
  }),
  row({
    demand: 'code-with-pkce-or-jarm',
    section: 'FAPI 1.0 Advanced s5.2.2-2',
    profiles: fapi1,
    when: ({ plainCodeFlow }) => plainCodeFlow !== 'allow',
  }),
  row({
    // Also for every client that registered for JWT responses, whatever the bank allows others.
    demand: 'code-with-jarm',
    section: 'FAPI 1.0 Advanced s5.2.2-2, JARM s3',
    profiles: fapi1,
    when: ({ plainCodeFlow }, { authorizationSignedResponseAlg }) =>
      plainCodeFlow === 'jarm-only' || authorizationSignedResponseAlg !== undefined,
  }),
  row({ demand: 'pkce-when-pushed', section: 'FAPI 1.0 Advanced s5.2.2-18', profiles: fapi1 }),
  // --- FAPI 2.0 Security Profile, 5.3.2.1
  row({
    demand: 'certificate-bound-tokens',
    section: 'FAPI 1.0 Advanced s5.2.2-5, FAPI 2.0 Security Profile s5.3.2.1-4',
    profiles: everybody,
  }),
  row({ demand: 'asymmetric-authentication', section: 'FAPI 2.0 Security Profile s5.3.2.1-6', profiles: fapi2 }),
  row({
    demand: 'issuer-audience',
    section: 'FAPI 2.0 Security Profile s5.3.2.1-8, RFC 10070',
    profiles: fapi2,
    also: ({ requireIssuerAudience }, { clientAssertionAudience }) =>
      requireIssuerAudience === true || clientAssertionAudience === 'issuer',
  }),
  row({ demand: 'audience-as-text', section: 'FAPI 2.0 Security Profile s5.3.2.1-8', profiles: fapi2 }),
  row({
    // All tokens are bound to a certificate, so rotation adds nothing (RFC 9700 s2.2.2). FAPI 2.0 forbids it
    // (s5.3.2.1-9).
    demand: 'refresh-rotation',
    section: 'RFC 9700 s4.14.2',
    profiles: fapi1,
    when: ({ refreshTokenRotation }) => refreshTokenRotation === 'always',
  }),
  // --- FAPI 2.0 Security Profile, 5.3.2.2
  row({ demand: 'response-type-code', section: 'FAPI 2.0 Security Profile s5.3.2.2-1', profiles: fapi2 }),
  row({
    demand: 'pushed-request',
    section: 'FAPI 2.0 Security Profile s5.3.2.2-3, RFC 9126 s6',
    profiles: fapi2,
    also: ({ requirePushedAuthorizationRequests }) => requirePushedAuthorizationRequests === true,
  }),
  row({ demand: 'pkce', section: 'FAPI 2.0 Security Profile s5.3.2.2-5', profiles: fapi2 }),
  row({
    demand: 'issuer-in-response',
    section: 'FAPI 2.0 Security Profile s5.3.2.2-7, RFC 9207 s2',
    profiles: everybody,
  }),
  row({ demand: 'code-of-60-seconds', section: 'FAPI 2.0 Security Profile s5.3.2.2', profiles: fapi2 }),
  row({ demand: 'request-uri-below-600-seconds', section: 'FAPI 2.0 Security Profile s5.3.2.2', profiles: fapi2 }),
  // --- what the specifications leave to the bank
  row({
    demand: 'scope-at-token-endpoint',
    section: 'RFC 6749 s3.3',
    profiles: everybody,
    when: ({ defaultScope }) => defaultScope === 'refuse',
  }),
] as const;

/** Whether a profile comes later in the order of {@link fapiProfiles}: a client can never go back on its own. */
export function isLaterProfile(profile: FapiProfile, than: FapiProfile): boolean {
  return fapiProfiles.indexOf(profile) > fapiProfiles.indexOf(than);
}

/**
 * The profile that a client follows now: its own while the service offers it. Otherwise the service's first, unless the
 * client's own comes later: a change by the bank binds existing clients, and never weakens one.
 */
export function profileOf(
  { fapiProfile = 'fapi1-advanced' }: Pick<ProfiledClient, 'fapiProfile'>,
  { fapiProfiles: offered }: Pick<ProfileSettings, 'fapiProfiles'>,
): FapiProfile {
  const [first] = offered;
  if (first === undefined || offered.includes(fapiProfile)) return fapiProfile;
  return isLaterProfile(first, fapiProfile) ? first : fapiProfile;
}

/** Whether something is demanded of a client under these settings. */
export function isDemanded(demand: Demand, client: ProfiledClient, settings: ProfileSettings): boolean {
  const fapiProfile = profileOf(client, settings);
  return profileTable.some((each: ProfileRow<Demand>) => {
    if (each.demand !== demand) return false;
    const isOfProfile = each.profiles.includes(fapiProfile) && (each.when?.(settings, client) ?? true);
    return isOfProfile || (each.also?.(client, settings) ?? false);
  });
}

/** Whether something is demanded of all clients of this service, so that discovery may announce it. */
export function isDemandedOfAll(demand: Demand, settings: ProfileSettings): boolean {
  return settings.fapiProfiles.every((fapiProfile) => isDemanded(demand, { fapiProfile }, settings));
}
