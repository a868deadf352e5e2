import { describedClass } from '#libs/api-description';
import { oauthLimits } from '#libs/oauth';

const optional = { required: false, type: 'string' } as const;
const text = { type: 'string' } as const;
const seconds = { type: 'integer', minimum: 1, description: 'Seconds.' } as const;
const hint = { ...optional, description: 'Not needed. The service ignores it.' } as const;

/** How a client authenticates in the form. */
const clientAuthentication = {
  client_id: {
    ...optional,
    minLength: 1,
    maxLength: oauthLimits.clientId,
    description: 'Id of the client. Optional with Basic or a client assertion.',
  },
  client_secret: {
    ...optional,
    minLength: 1,
    maxLength: oauthLimits.clientSecret,
    description: 'For client_secret_post. With client_secret_basic, send it in the Authorization header instead.',
  },
  client_assertion: {
    ...optional,
    maxLength: oauthLimits.clientAssertion,
    description:
      'For private_key_jwt and client_secret_jwt: a JWT whose iss and sub are the client id, aud the issuer or the ' +
      'token endpoint, with jti (used once) and exp.',
  },
  client_assertion_type: {
    ...optional,
    enum: ['urn:ietf:params:oauth:client-assertion-type:jwt-bearer'],
    description: 'Together with client_assertion.',
  },
} as const;

/** Form of a token request. */
export const TokenRequestForm = describedClass('TokenRequestForm', {
  ...clientAuthentication,
  grant_type: {
    ...text,
    enum: ['authorization_code', 'client_credentials', 'refresh_token'],
    description: 'client_credentials for the payments APIs; authorization_code after the customer has approved.',
  },
  scope: {
    ...optional,
    maxLength: oauthLimits.scope,
    description: 'Scopes separated by spaces, for client_credentials. A code has the scope that the customer approved.',
    example: 'payments',
  },
  code: {
    ...optional,
    minLength: 1,
    maxLength: oauthLimits.code,
    description: 'For authorization_code. Can be used once.',
  },
  redirect_uri: {
    ...optional,
    maxLength: oauthLimits.redirectUri,
    description: 'For authorization_code: the redirect_uri of the authorization request, character by character.',
  },
  code_verifier: {
    ...optional,
    minLength: 43,
    maxLength: oauthLimits.codeVerifier,
    description: 'For authorization_code: if the request object had a code_challenge (PKCE).',
  },
  refresh_token: {
    ...optional,
    minLength: 1,
    maxLength: oauthLimits.token,
    description: 'For refresh_token. Can be used once if the bank rotates refresh tokens.',
  },
});

const plain = (parameter: string, rules: object = {}) => ({
  ...optional,
  ...rules,
  description:
    `${parameter} Only for clients of fapi2-security, without request; otherwise it belongs in the request ` +
    'object.',
});

/** Form of a pushed authorization request (RFC 9126 section 2.1 and 3). */
export const PushedAuthorizationRequestForm = describedClass('PushedAuthorizationRequestForm', {
  ...clientAuthentication,
  request: {
    ...optional,
    minLength: 1,
    maxLength: oauthLimits.requestObject,
    description:
      'The request object of the authorization endpoint, with code_challenge and code_challenge_method S256 (PKCE). ' +
      'Parameters beside it do not count. A client of fapi2-security may send its parameters without it.',
  },
  response_type: plain('The flow.', { enum: ['code'] }),
  response_mode: plain('How the response is returned.', { enum: ['query', 'jwt', 'query.jwt'] }),
  redirect_uri: plain('A registered address.', { maxLength: oauthLimits.redirectUri }),
  scope: plain('Scopes separated by spaces.', { example: 'openid payments' }),
  state: plain('Comes back with the response.'),
  nonce: plain('Comes back in the ID token.'),
  code_challenge: plain('PKCE (RFC 7636).', { pattern: '^[A-Za-z0-9_-]{43}$' }),
  code_challenge_method: plain('Required with code_challenge.', { enum: ['S256'] }),
  claims: {
    ...plain('JSON text; names the consent in id_token.openbanking_intent_id.value.'),
    example: '{"id_token":{"openbanking_intent_id":{"value":"01890a5d-ac96-774b-bcce-b302099a8057","essential":true}}}',
  },
});

/** Answer to a pushed authorization request (RFC 9126 section 2.2). */
export const PushedAuthorizationResponseDocument = describedClass('PushedAuthorizationResponseDocument', {
  request_uri: {
    ...text,
    pattern: '^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$',
    description: 'Send it to the authorization endpoint with client_id and nothing else. Can be used once.',
  },
  expires_in: seconds,
});

/** Form of a revocation. */
export const RevocationRequestForm = describedClass('RevocationRequestForm', {
  ...clientAuthentication,
  token: { ...text, minLength: 1, description: 'Access token or refresh token.' },
  token_type_hint: hint,
});

/** Form of an introspection. */
export const IntrospectionRequestForm = describedClass('IntrospectionRequestForm', {
  token: { ...text, minLength: 1, description: 'The access token to introspect.' },
  token_type_hint: hint,
});

/** Answer of the token endpoint (RFC 6749 section 5.1). */
export const TokenResponseDocument = describedClass('TokenResponseDocument', {
  token_type: { ...text, enum: ['bearer'], description: 'Compare it case-insensitively.' },
  access_token: {
    ...text,
    minLength: 43,
    maxLength: oauthLimits.token,
    description: 'Opaque. Bound to the client certificate of this connection, and valid only with it.',
  },
  expires_in: seconds,
  scope: { ...text, description: 'The granted scopes.' },
  id_token: { ...optional, description: 'After a code with the scope openid: signed JWT (OpenID Connect).' },
  refresh_token: {
    ...optional,
    description: "Present only if the customer's approval lasts and the client registered the grant.",
  },
  consented_on: {
    ...text,
    format: 'date-time',
    description: 'When the customer approved; for a token without a customer, when it was issued.',
  },
});

/** The answer for a token that is not valid says nothing else. */
export const InactiveToken = describedClass('InactiveToken', {
  active: { type: 'boolean', description: 'Always false.' },
});

const Confirmation = describedClass('Confirmation', {
  'x5t#S256': { ...text, description: 'SHA-256 of the certificate to which the token is bound, in base64url.' },
});

/** The answer for a valid token (RFC 7662 section 2.2). */
export const ActiveToken = describedClass('ActiveToken', {
  active: { type: 'boolean', description: 'Always true.' },
  iss: { ...text, format: 'uri', description: 'Issuer.' },
  client_id: text,
  token_type: { ...text, enum: ['bearer'] },
  scope: text,
  iat: { type: 'integer', description: 'Issued at: seconds since 1970.' },
  exp: { type: 'integer', description: 'Expires at: seconds since 1970.' },
  cnf: { type: Confirmation, description: 'Compare it with the certificate of your own connection.' },
  sub: { ...optional, description: "The bank's own id of the customer." },
  openbanking_intent_id: { ...optional, description: 'The consent that the customer approved.' },
  authorization_details: {
    required: false,
    type: 'array',
    items: {
      type: 'object',
      required: ['type', 'api_version', 'permissions', 'accounts'],
      properties: {
        type: { type: 'string', enum: ['account-access', 'funds-confirmation'] },
        api_version: { type: 'string', examples: ['4.0'] },
        permissions: { type: 'array', items: { type: 'string' }, examples: [['ReadAccountsDetail', 'ReadBalances']] },
        accounts: { type: 'array', items: { type: 'object', additionalProperties: true } },
        expiration_date_time: { type: 'string', format: 'date-time' },
        transaction_from_date_time: { type: 'string', format: 'date-time' },
        transaction_to_date_time: { type: 'string', format: 'date-time' },
      },
    },
    description: 'The access that the customer has approved: which data of which accounts (RFC 9396 section 9.2).',
  },
});

/** Claims of the customer. */
export const UserinfoDocument = describedClass('UserinfoDocument', {
  sub: { ...text, description: 'The customer, under an id that only your organisation gets (pairwise).' },
});
