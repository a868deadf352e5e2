import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  type Answer,
  ApiAnswers,
  bodiless,
  bodyTooSlow,
  commonAnswers,
  interactionId,
  jsonAnswer,
  jsonAsHtml,
  oauthErrorAnswer,
} from '#libs/api-description';
import {
  ActiveToken,
  InactiveToken,
  IntrospectionRequestForm,
  PushedAuthorizationRequestForm,
  PushedAuthorizationResponseDocument,
  RevocationRequestForm,
  TokenRequestForm,
  TokenResponseDocument,
  UserinfoDocument,
} from './token-documents.dto.js';

/** What a refused client reads: one sentence for all causes. */
const unauthenticated = oauthErrorAnswer(
  "The client or its certificate is not accepted. The bank's log has the reason, under the interaction id.",
  { invalid_client: 'client authentication failed' },
  ['basic challenge'],
);
const tooLong = oauthErrorAnswer('The body is longer than 32 KiB (pushed authorization requests: 80 KiB).', {
  invalid_request: 'the request cannot be read',
});
const failed = oauthErrorAnswer('An unexpected error. The answer contains nothing of the request.', {
  server_error: 'the server could not complete the request',
});
const unavailable = oauthErrorAnswer(
  "The client's key set cannot be fetched at the moment. Without a body: the service is overloaded or not fully " +
    'available. Repeat the request later.',
  { temporarily_unavailable: 'the service is temporarily unavailable' },
  ['retry-after'],
);
/** The answers of every endpoint where a client authenticates. */
const clientAnswers = { ...commonAnswers, 401: unauthenticated, 408: bodyTooSlow, 413: tooLong, 500: failed };
const malformedRequest = oauthErrorAnswer('The request is malformed.', { invalid_request: 'token is missing' });

function asHtmlToo(answer: Answer): Answer {
  return { ...answer, content: { ...answer.content, 'text/html': jsonAsHtml } };
}

/** An operation whose client authenticates with its certificate, and with a secret or an assertion if it has one. */
function clientOperation(tag: string, operation: Parameters<typeof ApiOperation>[0]): MethodDecorator {
  return applyDecorators(
    ApiTags(tag),
    ApiOperation(operation),
    ApiSecurity('mutualTls'),
    ApiSecurity({ basic: [], mutualTls: [] }),
    interactionId,
  );
}

function form(
  type: Type,
  examples: Readonly<Record<string, { summary: string; value: Record<string, string> }>>,
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(type),
    ApiConsumes('application/x-www-form-urlencoded'),
    ApiBody({ required: true, schema: { $ref: getSchemaPath(type) }, examples }),
  );
}

const assertion = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: 'eyJhbGciOiJQUzI1NiIsImtpZCI6InRwcC1rZXkifQ.eyJpc3MiOiI4YzkzIn0.c2lnbmF0dXJl',
};

/** POST /oauth2/token. */
export function ApiTokenOperation(): MethodDecorator {
  return applyDecorators(
    clientOperation('Token endpoint', {
      operationId: 'createToken',
      summary: 'Get an access token',
      description:
        'Every client presents its certificate, whatever its authentication method: client_secret_basic, ' +
        'client_secret_post, tls_client_auth (client_id alone), client_secret_jwt or private_key_jwt, as it has ' +
        'registered. Tokens are bound to that certificate. To a client whose Accept prefers text/html the same JSON ' +
        'document is sent as text/html.',
    }),
    form(TokenRequestForm, {
      clientCredentials: {
        summary: 'client_credentials, private_key_jwt: for the payments APIs',
        value: { grant_type: 'client_credentials', scope: 'payments', ...assertion },
      },
      authorizationCode: {
        summary: 'authorization_code, tls_client_auth',
        value: {
          grant_type: 'authorization_code',
          client_id: '8c93a1d0-7d7c-4b1e-9d5e-0d6a5c1f2b3a',
          code: 'nKrJ8W0T1rQm0lUu2y3s6cXo4dPa5eVb7fZg9hYi1jk',
          redirect_uri: 'https://tpp.example.com/callback',
        },
      },
    }),
    ApiAnswers({
      ...clientAnswers,
      200: asHtmlToo(
        jsonAnswer(TokenResponseDocument, {
          description: 'The token.',
          headers: ['cache-control'],
          examples: {
            clientCredentials: {
              summary: 'client_credentials',
              value: {
                token_type: 'bearer',
                access_token: 'mB1dPz4n0Yx8u3cQv6rT2wEa5sKf7hGj9lZi0oXpVyU',
                expires_in: 3600,
                scope: 'payments',
                consented_on: '2030-01-31T09:30:00+00:00',
              },
            },
          },
        }),
      ),
      400: oauthErrorAnswer('The request is malformed or breaks a rule.', {
        invalid_request: 'grant_type is missing',
        invalid_grant: 'authorization code is not valid',
        invalid_scope: 'scope exceeds what the client registered',
        unauthorized_client: 'client is not registered for this grant type',
        unsupported_grant_type: 'grant_type is not supported',
      }),
      503: unavailable,
    }),
  );
}

/** POST /oauth2/par. */
export function ApiPushedAuthorizationRequestOperation(): MethodDecorator {
  return applyDecorators(
    clientOperation('Pushed authorization requests', {
      operationId: 'pushAuthorizationRequest',
      summary: 'Push an authorization request',
      description:
        'RFC 9126. The client authenticates as at the token endpoint and pushes its signed request object; the ' +
        'browser of the customer then carries only a reference. A client with a FAPI 2.0 profile must push, with ' +
        'response_type code and PKCE; with fapi2-security it may push plain parameters instead of a request object, ' +
        'and the audience of its client assertion is the issuer alone. What is wrong with the request is said here, ' +
        'before the customer sees anything. Every client but those of tls_client_auth may push to the same path on ' +
        'the authorization host instead, without a certificate.',
    }),
    form(PushedAuthorizationRequestForm, {
      request: {
        summary: 'With private_key_jwt',
        value: { request: 'eyJhbGciOiJQUzI1NiIsImtpZCI6InRwcC1rZXkifQ.eyJpc3MiOiI4YzkzIn0.c2lnbmF0dXJl', ...assertion },
      },
      plain: {
        summary: 'With fapi2-security',
        value: {
          response_type: 'code',
          redirect_uri: 'https://app.example/callback',
          scope: 'openid payments',
          state: 'af0ifjsldkj',
          nonce: 'n-0S6_WzA2Mj',
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
          claims:
            '{"id_token":{"openbanking_intent_id":{"value":"01890a5d-ac96-774b-bcce-b302099a8057","essential":true}}}',
          ...assertion,
        },
      },
    }),
    ApiAnswers({
      ...clientAnswers,
      201: asHtmlToo(
        jsonAnswer(PushedAuthorizationResponseDocument, {
          description: 'The reference.',
          headers: ['cache-control'],
          examples: {
            reference: {
              summary: 'A reference',
              value: {
                request_uri: 'urn:ietf:params:oauth:request_uri:mB1dPz4n0Yx8u3cQv6rT2wEa5sKf7hGj9lZi0oXpVyU',
                expires_in: 60,
              },
            },
          },
        }),
      ),
      400: oauthErrorAnswer('The request is malformed, or the request object is refused.', {
        invalid_request: 'a pushed request needs code_challenge with the method S256',
        invalid_request_object: 'request object has expired',
        invalid_scope: 'scope exceeds what the client registered',
        unsupported_response_type: 'response_type is not one that this client registered',
      }),
      503: unavailable,
    }),
  );
}

/** POST /oauth2/revoke. */
export function ApiRevocationOperation(): MethodDecorator {
  return applyDecorators(
    clientOperation('Tokens in use', {
      operationId: 'revokeToken',
      summary: 'Revoke a token',
      description:
        'RFC 7009. The client authenticates as at the token endpoint. The answer is also 200 if the token was not ' +
        'valid.',
    }),
    form(RevocationRequestForm, {
      token: {
        summary: 'With private_key_jwt',
        value: { token: 'mB1dPz4n0Yx8u3cQv6rT2wEa5sKf7hGj9lZi0oXpVyU', ...assertion },
      },
    }),
    ApiAnswers({
      ...clientAnswers,
      200: bodiless('The token is no longer valid.', ['cache-control']),
      400: malformedRequest,
      503: unavailable,
    }),
  );
}

/** POST /oauth2/introspect. */
export function ApiIntrospectionOperation(): MethodDecorator {
  return applyDecorators(
    ApiTags("For the bank's own resource servers"),
    ApiOperation({
      operationId: 'introspectToken',
      summary: 'Introspect a token',
      description:
        "RFC 7662. For the bank's own resource servers, identified by the subject of their certificates. The " +
        'endpoint does not exist where none is configured. With Accept: application/token-introspection+jwt the ' +
        'answer is signed (RFC 9701), for the subject of INTROSPECTION_CLIENT_SUBJECTS that asked.',
    }),
    ApiSecurity('mutualTls'),
    interactionId,
    ApiExtraModels(ActiveToken, InactiveToken),
    form(IntrospectionRequestForm, {
      token: { summary: 'An access token', value: { token: 'mB1dPz4n0Yx8u3cQv6rT2wEa5sKf7hGj9lZi0oXpVyU' } },
    }),
    ApiAnswers({
      ...clientAnswers,
      200: {
        description: 'What the token allows, or only that it is not valid.',
        headers: ['x-fapi-interaction-id', 'cache-control'],
        content: {
          'application/json': { oneOf: [{ $ref: getSchemaPath(ActiveToken) }, { $ref: getSchemaPath(InactiveToken) }] },
          'application/token-introspection+jwt': { type: 'string' },
          'text/html': jsonAsHtml,
        },
        examples: { inactive: { summary: 'Not valid', value: { active: false } } },
      },
      400: malformedRequest,
    }),
  );
}

/** GET and POST /oauth2/userinfo. */
export function ApiUserinfoOperation(method: 'get' | 'post'): MethodDecorator {
  return applyDecorators(
    ApiTags('Tokens in use'),
    ApiOperation({
      operationId: `${method}Userinfo`,
      summary: method === 'get' ? 'Read who approved' : 'Read who approved, by POST',
      description: "OpenID Connect Core section 5.3. Needs a token from a customer's approval with the scope openid.",
    }),
    ApiSecurity({ bearer: [], mutualTls: [] }),
    interactionId,
    ApiAnswers({
      ...commonAnswers,
      200: asHtmlToo(
        jsonAnswer(UserinfoDocument, {
          description: 'The customer.',
          headers: ['cache-control'],
          examples: {
            customer: { summary: 'A customer', value: { sub: 'Qm9iIGlzIG5vdCBoZXJlLCBzb3JyeS4gVHJ5IGFnYWlu' } },
          },
        }),
      ),
      401: oauthErrorAnswer(
        'There is no access token, or none that is valid with this certificate.',
        { invalid_token: 'access token is not valid for this request' },
        ['www-authenticate'],
      ),
      403: oauthErrorAnswer(
        "The token is not from a customer's approval with the scope openid.",
        { insufficient_scope: 'access token is not valid for this request' },
        ['www-authenticate'],
      ),
      500: failed,
    }),
  );
}
