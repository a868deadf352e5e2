import {
  asymmetricAlgorithms,
  grantTypes,
  responseTypes,
  scopes,
  tokenEndpointAuthSigningAlgs,
} from '#libs/client-registration';
import type { Config } from '#libs/config';
import { ACR_VALUES_SUPPORTED, isDemandedOfAll, RESPONSE_MODES_SUPPORTED, type Demand } from '#libs/oauth';
import { registrationEndpoint } from '../registration/registration-address.js';

/** Claims of the ID token and of the `claims` parameter (OIDC Core s2, Open Banking security profile). */
const claims = [
  'sub',
  'acr',
  'auth_time',
  'openbanking_intent_id',
  'iss',
  'aud',
  'exp',
  'iat',
  'nonce',
  'c_hash',
  's_hash',
  'at_hash',
];

/**
 * Provider metadata (OpenID Connect Discovery s3, RFC 8414 s2, RFC 8705 s3.3, RFC 9207 s3). Addresses come from the
 * configuration, lists from the code that enforces them, so the document announces only what the service does.
 */
export function createOpenidConfiguration(
  config: Pick<
    Config,
    'issuer' | 'baseUrl' | 'authUrl' | 'tokenUrl' | 'signing' | 'introspection' | 'profile' | 'registration'
  >,
): Record<string, unknown> {
  const isOfAll = (demand: Demand): boolean => isDemandedOfAll(demand, config.profile);
  const tokenEndpointAuthMethods = config.registration.tokenEndpointAuthMethods.filter(
    (method) => !method.startsWith('client_secret') || !isOfAll('asymmetric-authentication'),
  );
  // HMAC is only for client_secret_jwt.
  const authSigningAlgs = tokenEndpointAuthSigningAlgs.filter(
    (algorithm) => algorithm !== 'HS256' || tokenEndpointAuthMethods.includes('client_secret_jwt'),
  );
  const signingAlgs = [...new Set(config.signing.keys.map(({ algorithm }) => algorithm))];
  return {
    issuer: config.issuer,
    authorization_endpoint: `${config.authUrl}/oauth2/authorize`,
    token_endpoint: `${config.tokenUrl}/oauth2/token`,
    require_pushed_authorization_requests: isOfAll('pushed-request'),
    // This address needs no certificate; tls_client_auth uses the alias.
    pushed_authorization_request_endpoint: `${config.authUrl}/oauth2/par`,
    registration_endpoint: registrationEndpoint(config),
    userinfo_endpoint: `${config.tokenUrl}/oauth2/userinfo`,
    revocation_endpoint: `${config.tokenUrl}/oauth2/revoke`,
    revocation_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    revocation_endpoint_auth_signing_alg_values_supported: authSigningAlgs,
    ...(config.introspection === undefined
      ? {}
      : {
          introspection_endpoint: `${config.tokenUrl}/oauth2/introspect`,
          // RFC 9701 s7: the current key signs.
          introspection_signing_alg_values_supported: config.signing.keys.slice(0, 1).map(({ algorithm }) => algorithm),
        }),
    jwks_uri: config.signing.jwksUri ?? `${config.authUrl}/oauth2/jwks`,
    scopes_supported: scopes,
    response_types_supported: responseTypes.filter((type) => type === 'code' || !isOfAll('response-type-code')),
    response_modes_supported: RESPONSE_MODES_SUPPORTED,
    // JARM s4.
    authorization_signing_alg_values_supported: signingAlgs,
    grant_types_supported: grantTypes,
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: signingAlgs,
    // Some TPPs register the first entry.
    request_object_signing_alg_values_supported: asymmetricAlgorithms,
    request_parameter_supported: true,
    // The default is true (OpenID Connect Discovery s3).
    request_uri_parameter_supported: false,
    require_signed_request_object: isOfAll('signed-request'),
    claims_parameter_supported: true,
    claims_supported: claims,
    acr_values_supported: ACR_VALUES_SUPPORTED,
    token_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    token_endpoint_auth_signing_alg_values_supported: authSigningAlgs,
    tls_client_certificate_bound_access_tokens: isOfAll('certificate-bound-tokens'),
    mtls_endpoint_aliases: endpointAliases(config),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: isOfAll('issuer-in-response'),
    ui_locales_supported: ['en-GB', 'cy'],
  };
}

/** Endpoints with client certificates (RFC 8705 s5). Only the pushed authorization request has a second address. */
function endpointAliases({
  tokenUrl,
  introspection,
}: Pick<Config, 'tokenUrl' | 'introspection'>): Record<string, string> {
  return {
    token_endpoint: `${tokenUrl}/oauth2/token`,
    pushed_authorization_request_endpoint: `${tokenUrl}/oauth2/par`,
    userinfo_endpoint: `${tokenUrl}/oauth2/userinfo`,
    revocation_endpoint: `${tokenUrl}/oauth2/revoke`,
    ...(introspection === undefined ? {} : { introspection_endpoint: `${tokenUrl}/oauth2/introspect` }),
  };
}
