import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { isDemandedOfAll, type ProfileSettings } from '#libs/oauth';
import { createOpenidConfiguration } from '../support/apps/wires.js';
import { defaultProfile } from '../support/profile-settings.js';

/**
 * Each member of the discovery document, its value with every setting on, and the test over HTTPS that relies on it.
 * TPPs build on this document, so a change must be made here too, on purpose, and listed in the CHANGELOG.
 */
const claims: Record<string, { value: unknown; file: string; test: string }> = {
  issuer: aClaim('https://api.test/open-banking/v3.0', 'discovery/discovery.e2e-spec', 'DCR-T002 the issuer is'),
  authorization_endpoint: aClaim(
    'https://auth.test/oauth2/authorize',
    'authorization/oauth4webapi.e2e-spec',
    '%s with an %s key: %s',
  ),
  token_endpoint: aClaim(
    'https://token.test/oauth2/token',
    'discovery/discovery.e2e-spec',
    'every algorithm of client assertions obtains a token',
  ),
  pushed_authorization_request_endpoint: aClaim(
    'https://auth.test/oauth2/par',
    'authorization/pushed-request.e2e-spec',
    'pushes without a certificate',
  ),
  mtls_endpoint_aliases: aClaim(
    {
      token_endpoint: 'https://token.test/oauth2/token',
      pushed_authorization_request_endpoint: 'https://token.test/oauth2/par',
      userinfo_endpoint: 'https://token.test/oauth2/userinfo',
      revocation_endpoint: 'https://token.test/oauth2/revoke',
      introspection_endpoint: 'https://token.test/oauth2/introspect',
    },
    'authorization/pushed-request.e2e-spec',
    'client pushes, the browser brings the reference alone, and the code is exchanged',
  ),
  registration_endpoint: aClaim(
    'https://api.test/open-banking/v3.2/register',
    'discovery/discovery.e2e-spec',
    'announces only what can be registered',
  ),
  userinfo_endpoint: aClaim(
    'https://token.test/oauth2/userinfo',
    'token/token-siblings.e2e-spec',
    'the sub of the ID tokens and nothing else',
  ),
  revocation_endpoint: aClaim(
    'https://token.test/oauth2/revoke',
    'discovery/discovery.e2e-spec',
    'every method and algorithm of the revocation endpoint ends a token',
  ),
  revocation_endpoint_auth_methods_supported: aClaim(
    ['tls_client_auth', 'private_key_jwt', 'client_secret_jwt', 'client_secret_basic', 'client_secret_post'],
    'discovery/discovery.e2e-spec',
    'every method and algorithm of the revocation endpoint ends a token',
  ),
  revocation_endpoint_auth_signing_alg_values_supported: aClaim(
    ['PS256', 'ES256', 'HS256'],
    'discovery/discovery.e2e-spec',
    'every method and algorithm of the revocation endpoint ends a token',
  ),
  introspection_endpoint: aClaim(
    'https://token.test/oauth2/introspect',
    'token/token-siblings.e2e-spec',
    'tells a server of the bank’s own all it needs',
  ),
  introspection_signing_alg_values_supported: aClaim(
    ['PS256'],
    'token/token-siblings.e2e-spec',
    'signs its answer for a server that asks for a JWT',
  ),
  jwks_uri: aClaim(
    'https://auth.test/oauth2/jwks',
    'authorization/journey.e2e-spec',
    'the front channel ID token: claims, signature, c_hash, s_hash',
  ),
  scopes_supported: aClaim(
    ['openid', 'accounts', 'payments', 'fundsconfirmations'],
    'authorization/metadata.e2e-spec',
    'every scope can be asked for',
  ),
  response_types_supported: aClaim(
    ['code id_token', 'code'],
    'authorization/metadata.e2e-spec',
    'every response type and mode is answered in its own place',
  ),
  response_modes_supported: aClaim(
    ['fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt'],
    'authorization/metadata.e2e-spec',
    'every response type and mode is answered in its own place',
  ),
  authorization_signing_alg_values_supported: aClaim(
    ['PS256', 'ES256'],
    'authorization/jarm.e2e-spec',
    'signs with the algorithm that the client registered',
  ),
  grant_types_supported: aClaim(
    ['authorization_code', 'client_credentials', 'refresh_token'],
    'token/refresh-token.e2e-spec',
    'discovery lists the grant, and the token response has one',
  ),
  subject_types_supported: aClaim(
    ['pairwise'],
    'discovery/discovery.e2e-spec',
    'a customer is another subject to each TPP',
  ),
  id_token_signing_alg_values_supported: aClaim(
    ['PS256', 'ES256'],
    'authorization/oauth4webapi.e2e-spec',
    '%s with an %s key: %s',
  ),
  request_object_signing_alg_values_supported: aClaim(
    ['PS256', 'ES256'],
    'authorization/oauth4webapi.e2e-spec',
    '%s with an %s key: %s',
  ),
  require_pushed_authorization_requests: aClaim(false, 'authorization/fapi2.e2e-spec', 'is refused by value'),
  request_parameter_supported: aClaim(true, 'authorization/request-object.e2e-spec', 'is accepted when it is right'),
  request_uri_parameter_supported: aClaim(
    false,
    'authorization/request-object.e2e-spec',
    'by reference: request_uri_not_supported',
  ),
  require_signed_request_object: aClaim(
    true,
    'authorization/request-object.e2e-spec',
    '29 has everything as plain query: invalid_request',
  ),
  claims_parameter_supported: aClaim(true, 'authorization/metadata.e2e-spec', 'every acr value is reached'),
  claims_supported: aClaim(
    'sub acr auth_time openbanking_intent_id iss aud exp iat nonce c_hash s_hash at_hash'.split(' '),
    'discovery/discovery.e2e-spec',
    'the authorization response is what it says',
  ),
  acr_values_supported: aClaim(
    ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'],
    'authorization/metadata.e2e-spec',
    'every acr value is reached',
  ),
  token_endpoint_auth_methods_supported: aClaim(
    ['tls_client_auth', 'private_key_jwt', 'client_secret_jwt', 'client_secret_basic', 'client_secret_post'],
    'registration/token-authentication.e2e-spec',
    'DCR-T103 DCR-T104 %s obtains a token',
  ),
  token_endpoint_auth_signing_alg_values_supported: aClaim(
    ['PS256', 'ES256', 'HS256'],
    'discovery/discovery.e2e-spec',
    'every algorithm of client assertions obtains a token',
  ),
  tls_client_certificate_bound_access_tokens: aClaim(
    true,
    'registration/token-authentication.e2e-spec',
    'DCR-T123 DCR-T124 a renewed certificate authenticates, and binds the new token',
  ),
  code_challenge_methods_supported: aClaim(
    ['S256'],
    'authorization/journey.e2e-spec',
    '6 PKCE with S256: the right verifier succeeds, a wrong one and none do not',
  ),
  authorization_response_iss_parameter_supported: aClaim(
    true,
    'discovery/discovery.e2e-spec',
    'the authorization response is what it says',
  ),
  ui_locales_supported: aClaim(
    ['en-GB', 'cy'],
    'discovery/discovery.e2e-spec',
    'always the same one to one TPP, and reads every announced language',
  ),
};

function aClaim(value: unknown, file: string, test: string): { value: unknown; file: string; test: string } {
  return { value, file, test };
}

const everySettingOn = {
  issuer: 'https://api.test/open-banking/v3.0',
  baseUrl: 'https://api.test',
  authUrl: 'https://auth.test',
  tokenUrl: 'https://token.test',
  signing: {
    jwksUri: 'https://auth.test/oauth2/jwks',
    keys: [{ algorithm: 'PS256' }, { algorithm: 'ES256' }, { algorithm: 'PS256' }],
  },
  introspection: { clientSubjects: ['CN=accounts.bank.example'] },
  profile: defaultProfile,
  registration: {
    tokenEndpointAuthMethods: [
      'tls_client_auth',
      'private_key_jwt',
      'client_secret_jwt',
      'client_secret_basic',
      'client_secret_post',
    ],
  },
} as unknown as Config;

describe('the discovery document', () => {
  const document = createOpenidConfiguration(everySettingOn);

  it('has exactly the members listed here', () => {
    const written = Object.fromEntries(Object.entries(claims).map(([name, { value }]) => [name, value]));
    expect(JSON.parse(JSON.stringify(document))).toEqual(written);
  });

  it.each<readonly [ProfileSettings['fapiProfiles']]>([
    [['fapi1-advanced']],
    [['fapi1-advanced', 'fapi2-message-signing']],
    [['fapi1-advanced', 'fapi2-security', 'fapi2-message-signing']],
    [['fapi2-security', 'fapi2-message-signing']],
  ])('requires for requests what the table of the profile demands from all clients: %j', (fapiProfiles) => {
    const profile = { ...defaultProfile, fapiProfiles };
    const told = createOpenidConfiguration({ ...everySettingOn, profile });
    const isOfAll = (demand: Parameters<typeof isDemandedOfAll>[0]): boolean => isDemandedOfAll(demand, profile);
    expect(told).toMatchObject({
      require_signed_request_object: isOfAll('signed-request'),
      require_pushed_authorization_requests: isOfAll('pushed-request'),
      tls_client_certificate_bound_access_tokens: isOfAll('certificate-bound-tokens'),
      authorization_response_iss_parameter_supported: isOfAll('issuer-in-response'),
      response_types_supported: isOfAll('response-type-code') ? ['code'] : ['code id_token', 'code'],
    });
    const methods = told['token_endpoint_auth_methods_supported'] as string[];
    expect(methods.some((name) => name.startsWith('client_secret'))).toBe(!isOfAll('asymmetric-authentication'));
  });

  it.each(Object.entries(claims))('%s is relied on by a test', (_name, { file, test }) => {
    const text = readFileSync(join(import.meta.dirname, '../e2e', `${file}.ts`), 'utf8');
    const titles = text.split('\n').filter((line) => /\bit(?:\.each)?\(|\)\(['"`]|^\s*['"`]/.test(line));
    expect(titles.some((title) => title.includes(test))).toBe(true);
  });
});
