import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { isDemandedOfAll, type ProfileSettings } from '#libs/oauth';
import { createOpenidConfiguration } from '../support/apps/wires.js';
import { hasTest } from '../support/has-test.js';
import { defaultProfile } from '../support/profile-settings.js';

const methods = [
  'tls_client_auth',
  'private_key_jwt',
  'client_secret_jwt',
  'client_secret_basic',
  'client_secret_post',
];

/**
 * Each member of the discovery document, and its value with every setting on. TPPs build on this document, so a change
 * must be made here too, on purpose, and listed in the CHANGELOG.
 */
const values = {
  issuer: 'https://api.test/open-banking/v3.0',
  authorization_endpoint: 'https://auth.test/oauth2/authorize',
  token_endpoint: 'https://token.test/oauth2/token',
  pushed_authorization_request_endpoint: 'https://auth.test/oauth2/par',
  mtls_endpoint_aliases: {
    token_endpoint: 'https://token.test/oauth2/token',
    pushed_authorization_request_endpoint: 'https://token.test/oauth2/par',
    userinfo_endpoint: 'https://token.test/oauth2/userinfo',
    revocation_endpoint: 'https://token.test/oauth2/revoke',
    introspection_endpoint: 'https://token.test/oauth2/introspect',
  },
  registration_endpoint: 'https://api.test/open-banking/v3.2/register',
  userinfo_endpoint: 'https://token.test/oauth2/userinfo',
  revocation_endpoint: 'https://token.test/oauth2/revoke',
  revocation_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'HS256'],
  introspection_endpoint: 'https://token.test/oauth2/introspect',
  introspection_signing_alg_values_supported: ['PS256'],
  jwks_uri: 'https://auth.test/oauth2/jwks',
  scopes_supported: ['openid', 'accounts', 'payments', 'fundsconfirmations'],
  response_types_supported: ['code id_token', 'code'],
  response_modes_supported: ['fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt'],
  authorization_signing_alg_values_supported: ['PS256', 'ES256'],
  grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['PS256', 'ES256'],
  request_object_signing_alg_values_supported: ['PS256', 'ES256'],
  require_pushed_authorization_requests: false,
  request_parameter_supported: true,
  request_uri_parameter_supported: false,
  require_signed_request_object: true,
  claims_parameter_supported: true,
  claims_supported: 'sub acr auth_time openbanking_intent_id iss aud exp iat nonce c_hash s_hash at_hash'.split(' '),
  acr_values_supported: ['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca'],
  token_endpoint_auth_methods_supported: methods,
  token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'HS256'],
  tls_client_certificate_bound_access_tokens: true,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ui_locales_supported: ['en-GB', 'cy'],
};

/** The tests over HTTPS that rely on them, by their files: each member, and a part of a title. */
const reliedOn: Readonly<Record<string, Partial<Record<keyof typeof values, string>>>> = {
  'discovery/discovery.e2e-spec': {
    issuer: 'DCR-T002 the issuer is',
    token_endpoint: 'every algorithm of client assertions obtains a token',
    registration_endpoint: 'announces only what can be registered',
    revocation_endpoint: 'every method and algorithm of the revocation endpoint ends a token',
    revocation_endpoint_auth_methods_supported: 'every method and algorithm of the revocation endpoint ends a token',
    revocation_endpoint_auth_signing_alg_values_supported:
      'every method and algorithm of the revocation endpoint ends a token',
    subject_types_supported: 'a customer is another subject to each TPP',
    claims_supported: 'the authorization response is what it says',
    token_endpoint_auth_signing_alg_values_supported: 'every algorithm of client assertions obtains a token',
    authorization_response_iss_parameter_supported: 'the authorization response is what it says',
    ui_locales_supported: 'always the same one to one TPP, and reads every announced language',
  },
  'authorization/oauth4webapi.e2e-spec': {
    authorization_endpoint: '%s with an %s key: %s',
    id_token_signing_alg_values_supported: '%s with an %s key: %s',
    request_object_signing_alg_values_supported: '%s with an %s key: %s',
  },
  'authorization/pushed-request.e2e-spec': {
    pushed_authorization_request_endpoint: 'pushes without a certificate',
    mtls_endpoint_aliases: 'client pushes, the browser brings the reference alone, and the code is exchanged',
  },
  'token/token-siblings.e2e-spec': {
    userinfo_endpoint: 'the sub of the ID tokens and nothing else',
    introspection_endpoint: 'tells a server of the bank’s own all it needs',
    introspection_signing_alg_values_supported: 'signs its answer for a server that asks for a JWT',
  },
  'authorization/journey.e2e-spec': {
    jwks_uri: 'the front channel ID token: claims, signature, c_hash, s_hash',
    code_challenge_methods_supported: '6 PKCE with S256: the right verifier succeeds, a wrong one does not',
  },
  'authorization/metadata.e2e-spec': {
    scopes_supported: 'every scope can be asked for',
    response_types_supported: 'every response type and mode is answered in its own place',
    response_modes_supported: 'every response type and mode is answered in its own place',
    claims_parameter_supported: 'every acr value is reached',
    acr_values_supported: 'every acr value is reached',
  },
  'authorization/jarm.e2e-spec': {
    authorization_signing_alg_values_supported: 'signs with the algorithm that the client registered',
  },
  'token/refresh-token.e2e-spec': {
    grant_types_supported: 'discovery lists the grant, and the token response has one',
  },
  'authorization/fapi2.e2e-spec': { require_pushed_authorization_requests: 'is refused by value' },
  'authorization/request-object.e2e-spec': {
    request_parameter_supported: 'is accepted when it is right',
    request_uri_parameter_supported: 'by reference: request_uri_not_supported',
    require_signed_request_object: '29 has everything as plain query: invalid_request',
  },
  'registration/token-authentication.e2e-spec': {
    token_endpoint_auth_methods_supported: 'DCR-T103 DCR-T104 %s obtains a token',
    tls_client_certificate_bound_access_tokens:
      'DCR-T123 DCR-T124 a renewed certificate authenticates, and binds the new token',
  },
};

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
  registration: { tokenEndpointAuthMethods: methods },
} as unknown as Config;

describe('the discovery document', () => {
  const document = createOpenidConfiguration(everySettingOn);

  it('has exactly the members listed here', () => {
    expect(JSON.parse(JSON.stringify(document))).toEqual(values);
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

  const lines = Object.entries(reliedOn).flatMap(([file, members]) =>
    Object.entries(members).map((line) => [...line, file] as const),
  );

  it.each(lines)('%s is relied on by a test: “%s” in %s', (_member, test, file) => {
    expect(hasTest(`test/e2e/${file}.ts`, test)).toBe(true);
  });

  it('has no member without a test', () => {
    expect(lines.map(([member]) => member).toSorted()).toEqual(Object.keys(values).toSorted());
  });
});
