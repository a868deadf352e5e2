import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiExtraModels, ApiOperation, ApiQuery, ApiTags, getSchemaPath } from '@nestjs/swagger';
import {
  ApiAnswers,
  bodiless,
  commonAnswers,
  describedClass,
  exampleAddresses,
  interactionId,
  jsonAnswer,
  pageAnswer,
} from '#libs/api-description';
import { oauthLimits } from '#libs/oauth';

const issuer = `${exampleAddresses.baseUrl}/open-banking/v3.0`;

const optional = { required: false, type: 'string' } as const;

/** Claims of the signed request object (OpenID Connect Core section 6.1, FAPI 1.0 Advanced section 5.2.2). */
const RequestObjectClaims = describedClass('RequestObjectClaims', {
  iss: { type: 'string', description: 'The client id.' },
  aud: {
    type: 'string',
    description: 'The issuer in the discovery document; a string, or an array that contains it.',
    example: issuer,
  },
  client_id: { type: 'string', description: 'The client id, as in the query.' },
  response_type: {
    type: 'string',
    enum: ['code', 'code id_token'],
    description: 'One that the client registered, the same as in the query.',
  },
  scope: { type: 'string', maxLength: oauthLimits.scope, example: 'openid payments' },
  redirect_uri: {
    type: 'string',
    maxLength: oauthLimits.redirectUri,
    description: 'One of the registered URIs, character by character.',
  },
  nonce: { ...optional, minLength: 1, maxLength: oauthLimits.nonce, description: 'Required for code id_token.' },
  state: { ...optional, minLength: 1, maxLength: oauthLimits.state, description: 'Returned in the redirect.' },
  exp: { type: 'integer', description: 'Seconds since 1970; at most 60 minutes after nbf.' },
  nbf: { type: 'integer', description: 'Seconds since 1970; at most 60 minutes ago.' },
  iat: { required: false, type: 'integer', description: 'Seconds since 1970; not in the future.' },
  jti: { ...optional, minLength: 1, maxLength: 255, description: 'If present, the object can be used only once.' },
  response_mode: {
    ...optional,
    enum: ['fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt'],
    description: 'How the response is returned. query and query.jwt are for code only. The modes with jwt are JARM.',
  },
  code_challenge: {
    ...optional,
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'PKCE (RFC 7636). Required for pushed requests, and for response_type code unless the answer is a JWT.',
  },
  code_challenge_method: { ...optional, enum: ['S256'], description: 'Required with code_challenge.' },
  prompt: {
    ...optional,
    example: 'login',
    description: 'The customer signs in every time, so the value none gets login_required.',
  },
  max_age: {
    required: false,
    type: 'integer',
    minimum: 0,
    description: 'Always met, because the customer signs in every time.',
  },
  ui_locales: {
    ...optional,
    maxLength: 400,
    example: 'cy en-GB',
    description: 'Languages for the pages, in order of preference.',
  },
  id_token_hint: {
    ...optional,
    maxLength: oauthLimits.idTokenHint,
    description:
      'An ID token that the bank issued to you, even if it has expired. If another customer signs in, the answer is ' +
      'login_required.',
  },
  claims: {
    type: 'object',
    additionalProperties: true,
    description: 'Names the consent in id_token.openbanking_intent_id.value.',
    example: {
      id_token: { openbanking_intent_id: { value: '01890a5d-ac96-774b-bcce-b302099a8057', essential: true } },
    },
  },
});

/** A public key (RFC 7517). */
const PublicKey = describedClass('PublicKey', {
  kty: { type: 'string', enum: ['RSA', 'EC'] },
  kid: { type: 'string' },
  use: { type: 'string', enum: ['sig'] },
  alg: { type: 'string', enum: ['PS256', 'ES256'] },
  n: { ...optional, description: 'Modulus of an RSA key.' },
  e: { ...optional, description: 'Exponent of an RSA key.' },
  crv: { ...optional, enum: ['P-256'] },
  x: { ...optional },
  y: { ...optional },
  x5c: { required: false, type: 'array', items: { type: 'string' }, description: 'Certificate chain, Base64 of DER.' },
});

/** The key set of the bank. */
const KeySetDocument = describedClass('KeySetDocument', {
  keys: { type: [PublicKey], description: 'The keys that sign ID tokens and responses.' },
});

/** A JWS, and the claims that it holds. */
const requestSchema = {
  type: 'string',
  maxLength: oauthLimits.requestObject,
  contentMediaType: 'application/jwt',
  contentSchema: { $ref: getSchemaPath(RequestObjectClaims) },
};

const otherHost = pageAnswer(
  'A page: the host of the request is not the service, or not the one that its connection was opened for.',
);
const headersTooLong = bodiless('The address and the headers are longer than 128 KiB.', ['cache-control']);
const unavailable = pageAnswer('A page: the service is not available at the moment.', ['retry-after']);

/** The parameters of an authorization request, in the query or in the form. */
const parameters = {
  client_id: { schema: { type: 'string', minLength: 1, maxLength: oauthLimits.clientId } },
  response_type: { schema: { type: 'string', enum: ['code', 'code id_token'] } },
  scope: { schema: { type: 'string', maxLength: oauthLimits.scope, example: 'openid payments' } },
  redirect_uri: { schema: { type: 'string', format: 'uri', maxLength: oauthLimits.redirectUri } },
  request: {
    description:
      'The request object: a JWS in compact form, signed with PS256 or ES256 as registered. Required unless there ' +
      'is a request_uri.',
    schema: requestSchema,
  },
  request_uri: {
    description: 'The reference of a pushed authorization request: send only client_id with it.',
    schema: { type: 'string', pattern: '^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$' },
  },
  state: { schema: { type: 'string', maxLength: oauthLimits.state } },
  nonce: { schema: { type: 'string', maxLength: oauthLimits.nonce } },
} as const;

const inQuery = Object.entries(parameters).map(([name, parameter]) =>
  ApiQuery({ name, required: name === 'client_id', ...parameter }),
);
const inForm = applyDecorators(
  ApiConsumes('application/x-www-form-urlencoded'),
  ApiBody({
    required: true,
    schema: {
      type: 'object',
      required: ['client_id'],
      properties: Object.fromEntries(
        Object.entries(parameters).map(([name, { schema, ...more }]) => [name, { ...schema, ...more }]),
      ),
    } as object,
  }),
);

/** Answers that every operation has. */
const publicAnswers = {
  404: pageAnswer('The path does not exist.'),
  405: commonAnswers[405],
  421: otherHost,
  429: pageAnswer('Too many requests from this address.', ['retry-after']),
  431: headersTooLong,
  503: unavailable,
};

const authorizeAnswers = {
  ...publicAnswers,
  400: pageAnswer('A page: the client or its redirect_uri is not valid, so the browser is not sent there.'),
  500: pageAnswer('A page: an unexpected error.'),
};

/** GET /oauth2/authorize. */
export function ApiAuthorizeOperation(): MethodDecorator {
  return applyDecorators(
    ApiTags('Authorization endpoint'),
    ApiExtraModels(RequestObjectClaims),
    ApiOperation({
      operationId: 'authorize',
      security: [],
      summary: 'Send the customer to the bank',
      description:
        "For the customer's browser: needs no client certificate. Requires client_id, and either request or " +
        'request_uri. Only the members of the signed request object count; those in the query must not contradict ' +
        'it. The customer signs in, sees the payments and approves or declines. The bank then sends the browser to ' +
        'redirect_uri with code, id_token (code id_token), state and iss: in the fragment for code id_token, in the ' +
        'query for code. A request_uri, or a request object with a jti, gets one answer: a browser in which nobody ' +
        'signs in, such as a link preview, does not use it up, and once a customer has signed in or declined every ' +
        'other browser sees an error page.',
    }),
    ...inQuery,
    ApiAnswers({
      ...authorizeAnswers,
      200: pageAnswer('The page where the customer signs in.'),
      302: bodiless(
        'Redirect to the client with an error: the client and its redirect_uri are valid, but the request is refused.',
        ['redirect location'],
      ),
    }),
  );
}

/** POST /oauth2/authorize. */
export function ApiAuthorizeByFormOperation(): MethodDecorator {
  return applyDecorators(
    ApiTags('Authorization endpoint'),
    ApiOperation({
      operationId: 'authorizeByForm',
      security: [],
      summary: 'Send the customer to the bank, with a form',
      description: 'The same as GET, with the parameters in a form (OpenID Connect Core section 3.1.2.1).',
    }),
    inForm,
    ApiAnswers({
      ...authorizeAnswers,
      303: bodiless('Redirect to the page where the customer signs in, or to the client with an error.', [
        'page or client location',
      ]),
      408: pageAnswer('A page: the form does not come in time.'),
      413: pageAnswer('A page: the form is longer than 96 KiB.'),
    }),
  );
}

/** GET /oauth2/jwks. */
export function ApiKeySetOperation(): MethodDecorator {
  return applyDecorators(
    ApiTags('Keys of the bank'),
    ApiOperation({
      operationId: 'getKeySet',
      security: [],
      summary: 'Public keys of the bank',
      description: 'The keys that verify ID tokens and the x-jws-signature of answers. Needs no client certificate.',
    }),
    interactionId,
    ApiAnswers({
      ...publicAnswers,
      200: jsonAnswer(KeySetDocument, { description: 'The key set (RFC 7517 section 5).', headers: ['public cache'] }),
    }),
  );
}
