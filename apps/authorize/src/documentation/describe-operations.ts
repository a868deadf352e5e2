import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  ApiAnswers,
  bodiless,
  commonAnswers,
  exampleAddresses,
  interactionId,
  jsonAnswer,
  pageAnswer,
} from '#libs/api-description';
import { oauthLimits } from '#libs/oauth';

const issuer = `${exampleAddresses.baseUrl}/open-banking/v3.0`;

/** Claims of the signed request object (OpenID Connect Core section 6.1, FAPI 1.0 Advanced section 5.2.2). */
class RequestObjectClaims {
  @ApiProperty({ description: 'The client id.' })
  iss!: string;

  @ApiProperty({
    description: 'The issuer in the discovery document; a string, or an array that contains it.',
    example: issuer,
  })
  aud!: string;

  @ApiProperty({ description: 'The client id, as in the query.' })
  client_id!: string;

  @ApiProperty({
    enum: ['code', 'code id_token'],
    description: 'One that the client registered, the same as in the query.',
  })
  response_type!: string;

  @ApiProperty({ maxLength: oauthLimits.scope, example: 'openid payments' })
  scope!: string;

  @ApiProperty({
    maxLength: oauthLimits.redirectUri,
    description: 'One of the registered URIs, character by character.',
  })
  redirect_uri!: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: oauthLimits.nonce, description: 'Required for code id_token.' })
  nonce?: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: oauthLimits.state, description: 'Returned in the redirect.' })
  state?: string;

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970; at most 60 minutes after nbf.' })
  exp!: number;

  @ApiProperty({ type: 'integer', description: 'Seconds since 1970; at most 60 minutes ago.' })
  nbf!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Seconds since 1970; not in the future.' })
  iat?: number;

  @ApiPropertyOptional({ minLength: 1, maxLength: 255, description: 'If present, the object can be used only once.' })
  jti?: string;

  @ApiPropertyOptional({
    enum: ['fragment', 'query', 'jwt', 'query.jwt', 'fragment.jwt'],
    description: 'How the response is returned. query and query.jwt are for code only. The modes with jwt are JARM.',
  })
  response_mode?: string;

  @ApiPropertyOptional({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description:
      'PKCE (RFC 7636). Required for pushed requests, and for response_type code unless the answer is a JWT.',
  })
  code_challenge?: string;

  @ApiPropertyOptional({ enum: ['S256'], description: 'Required with code_challenge.' })
  code_challenge_method?: string;

  @ApiPropertyOptional({
    example: 'login',
    description: 'The customer signs in every time, so the value none gets login_required.',
  })
  prompt?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Always met, because the customer signs in every time.',
  })
  max_age?: number;

  @ApiPropertyOptional({
    maxLength: 400,
    example: 'cy en-GB',
    description: 'Languages for the pages, in order of preference.',
  })
  ui_locales?: string;

  @ApiPropertyOptional({
    maxLength: oauthLimits.idTokenHint,
    description:
      'An ID token that the bank issued to you, even if it has expired. If another customer signs in, the answer is ' +
      'login_required.',
  })
  id_token_hint?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Names the consent in id_token.openbanking_intent_id.value.',
    example: {
      id_token: { openbanking_intent_id: { value: '01890a5d-ac96-774b-bcce-b302099a8057', essential: true } },
    },
  })
  claims!: Record<string, unknown>;
}

/** A public key (RFC 7517). */
class PublicKey {
  @ApiProperty({ enum: ['RSA', 'EC'] })
  kty!: string;

  @ApiProperty()
  kid!: string;

  @ApiProperty({ enum: ['sig'] })
  use!: string;

  @ApiProperty({ enum: ['PS256', 'ES256'] })
  alg!: string;

  @ApiPropertyOptional({ description: 'Modulus of an RSA key.' })
  n?: string;

  @ApiPropertyOptional({ description: 'Exponent of an RSA key.' })
  e?: string;

  @ApiPropertyOptional({ enum: ['P-256'] })
  crv?: string;

  @ApiPropertyOptional()
  x?: string;

  @ApiPropertyOptional()
  y?: string;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, description: 'Certificate chain, Base64 of DER.' })
  x5c?: string[];
}

/** The key set of the bank. */
class KeySetDocument {
  @ApiProperty({ type: [PublicKey], description: 'The keys that sign ID tokens and responses.' })
  keys!: PublicKey[];
}

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
