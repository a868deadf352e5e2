import { describe, expect, it } from '@jest/globals';
import { toClientRegistrationResponse } from './client-registration-response.js';
import { defaultProfile } from '../../../test/support/profile-settings.js';
import type { ClientRegistration } from './client-row.js';

const statement = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AA`;

const softwareStatement = statement({
  iss: 'OpenBanking Ltd',
  iat: 7,
  jti: 'of the statement',
  software_id: 'of the statement',
  software_roles: ['PISP'],
  org_id: 'org',
  client_secret: 'x',
  software_on_behalf_of_org: null,
  tls_client_auth_dn: 'CN=x',
  token_endpoint_auth_signing_alg: 'none',
});

const registration: ClientRegistration = {
  clientId: '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21',
  clientIdIssuedAt: new Date('2026-11-21T08:00:00.999Z'),
  orgId: 'org',
  softwareId: '4xTq9RbW2mKf7LpZ0sVd1h',
  jwksUri: 'https://keystore.directory.test/a.jwks',
  metadata: {
    redirectUris: ['https://tpp.example.com/cb'],
    grantTypes: ['client_credentials'],
    responseTypes: ['code', 'code id_token'],
    scope: 'payments openid',
    tokenEndpointAuthMethod: 'private_key_jwt',
    tokenEndpointAuthSigningAlg: 'PS256',
    idTokenSignedResponseAlg: 'PS256',
    requestObjectSigningAlg: 'ES256',
    authorizationSignedResponseAlg: 'PS256',
    requirePushedAuthorizationRequests: false,
    request: {
      iss: '4xTq9RbW2mKf7LpZ0sVd1h',
      iat: 1_795_222_907,
      exp: 1_795_226_507,
      aud: '0015800001041RHAAY',
      jti: 'a',
      applicationType: 'web',
      softwareStatement,
      usesOlderSubjectName: false,
    },
  },
};
const registrationEndpoint = 'https://bank.test/open-banking/v3.2/register';

const profile = defaultProfile;

describe('toClientRegistrationResponse (OBClientRegistration1)', () => {
  it('answers the standard members, the published ones with equal values and the claims of the software statement', () => {
    expect(
      toClientRegistrationResponse({ registration, registrationEndpoint, clientSecret: 'secret', profile }),
    ).toEqual({
      client_id: '5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21',
      client_secret: 'secret',
      client_secret_expires_at: 0,
      authorization_signed_response_alg: 'PS256',
      fapi_profile: 'fapi1-advanced',
      require_pushed_authorization_requests: false,
      require_signed_request_object: true,
      client_id_issued_at: Date.UTC(2026, 10, 21, 8) / 1_000,
      registration_client_uri: `${registrationEndpoint}/5f0c7c1e-9d3a-4d0e-8a55-0d9a4f1b7e21`,
      iss: '4xTq9RbW2mKf7LpZ0sVd1h',
      iat: '1795222907',
      exp: '1795226507',
      aud: '0015800001041RHAAY',
      jti: 'a',
      redirect_uris: ['https://tpp.example.com/cb'],
      grant_types: ['client_credentials'],
      scope: 'payments openid',
      token_endpoint_auth_method: 'private_key_jwt',
      tokenEndpointAuthMethod: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'PS256',
      tokenEndpointAuthSigningAlg: 'PS256',
      response_types: ['code', 'code id_token'],
      responseTypes: ['code', 'code id_token'],
      software_statement: softwareStatement,
      softwareStatement,
      application_type: 'web',
      applicationType: 'web',
      id_token_signed_response_alg: 'PS256',
      idTokenSignedResponseAlg: 'PS256',
      request_object_signing_alg: 'ES256',
      requestObjectSigningAlg: 'ES256',
      software_id: '4xTq9RbW2mKf7LpZ0sVd1h',
      jwks_uri: 'https://keystore.directory.test/a.jwks',
      tls_client_certificate_bound_access_tokens: true,
      software_roles: ['PISP'],
      org_id: 'org',
    });
  });

  it('contains no secret if none was issued, and only members of the method', () => {
    const { tokenEndpointAuthSigningAlg: _algorithm, ...metadata } = registration.metadata;
    const tls = {
      ...registration,
      metadata: { ...metadata, tokenEndpointAuthMethod: 'tls_client_auth' as const, tlsClientAuthSubjectDn: 'CN=a' },
    };
    const body = toClientRegistrationResponse({ registration: tls, registrationEndpoint, profile });
    for (const name of [
      'client_secret',
      'client_secret_expires_at',
      'token_endpoint_auth_signing_alg',
      'tokenEndpointAuthSigningAlg',
      'tls_client_auth_dn',
    ]) {
      expect(body).not.toHaveProperty(name);
    }
    expect(body).toMatchObject({ tls_client_auth_subject_dn: 'CN=a' });
  });

  it('repeats the subject under its older name to a client that used it', () => {
    const metadata = {
      ...registration.metadata,
      tlsClientAuthSubjectDn: 'CN=a',
      request: { ...registration.metadata.request, usesOlderSubjectName: true },
    };
    expect(
      toClientRegistrationResponse({ registration: { ...registration, metadata }, registrationEndpoint, profile }),
    ).toMatchObject({
      tls_client_auth_subject_dn: 'CN=a',
      tls_client_auth_dn: 'CN=a',
    });
  });

  it.each([
    ['fapi1-advanced', false, true],
    ['fapi2-security', true, false],
    ['fapi2-message-signing', true, true],
  ] as const)(
    'tells a client of %s how its requests have to be (RFC 9126 s6, RFC 9101 s10.5)',
    (fapiProfile, isPushed, isSigned) => {
      const metadata = { ...registration.metadata, fapiProfile };
      const body = toClientRegistrationResponse({
        registration: { ...registration, metadata },
        registrationEndpoint,
        profile,
      });
      expect(body).toMatchObject({
        fapi_profile: fapiProfile,
        require_pushed_authorization_requests: isPushed,
        require_signed_request_object: isSigned,
      });
    },
  );
});
