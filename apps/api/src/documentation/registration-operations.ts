import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
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
  describedClass,
  exampleAddresses,
  interactionId,
  jsonAnswer,
} from '#libs/api-description';
import {
  createFault,
  errorPageUrl,
  type Fault,
  fieldInvalid,
  fieldMissing,
  type OAuthErrorCode,
} from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { OpenidConfiguration } from '../discovery/openid-configuration.dto.js';
import { OBErrorResponse1 } from '../wire/v3.1/ob-error.dto.js';
import { keySetUnreadable } from '../registration/registration-error.filter.js';
import { otherClient } from '../registration/registration-owner.guard.js';
import { OBClientRegistrationRequest1 } from '../registration/ob-client-registration-request.dto.js';
import { OBClientRegistration1 } from '../registration/ob-client-registration.dto.js';
import { exampleErrorBody } from '../wire/file-payment/documents/ob-answers.js';

/** An OBErrorResponse1 with the members of RFC 7591 section 3.2.2, unless the bank has switched these off. */
const OBRegistrationErrorResponse1 = describedClass(
  'OBRegistrationErrorResponse1',
  {
    error: {
      type: 'string',
      description: 'Error code of RFC 7591, for the first fault. Absent only if the bank chose so (`plain-errors`).',
    },
    error_description: { required: false, type: 'string', pattern: '^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]+$' },
    error_uri: { required: false, type: 'string', format: 'uri', description: 'Page of the code.' },
  },
  OBErrorResponse1,
);

const registration = 'Client registration';
const foreignStatement = "The signature of the software statement is not the directory's.";
const cached = ['cache-control'] as const;

function refused(
  status: 400 | 403 | 500 | 503,
  description: string,
  faults: readonly (Fault & { error: OAuthErrorCode })[],
): Answer {
  const examples = Object.fromEntries(
    faults.map(({ error, ...fault }) => {
      const message = status === 400 ? 'The registration request was refused.' : fault.detail;
      const rfc7591 = {
        error,
        error_description: fault.detail,
        error_uri: errorPageUrl(exampleAddresses.baseUrl, error),
      };
      return [
        error,
        { summary: error, value: { ...exampleErrorBody(new ObError(status, message, [fault])), ...rfc7591 } },
      ];
    }),
  );
  const headers = status === 503 ? ([...cached, 'retry-after'] as const) : cached;
  return jsonAnswer(OBRegistrationErrorResponse1, { description, examples, headers });
}

const answers: Readonly<Record<number, Answer>> = {
  ...commonAnswers,
  406: bodiless('The Accept header does not allow application/json.'),
  500: refused(500, 'An unexpected error. Quote Id when you report it to the bank.', [
    { error: 'server_error', ...createFault('UnexpectedError', 'The request could not be processed.') },
  ]),
};

const signedRequestAnswers: Readonly<Record<number, Answer>> = {
  400: refused(400, 'The request, its signature or its software statement is invalid. The answer lists all faults.', [
    { error: 'invalid_client_metadata', ...fieldMissing('request_object_signing_alg') },
    { error: 'invalid_redirect_uri', ...fieldInvalid('redirect_uris[0]', 'must be an https URI') },
    {
      error: 'invalid_software_statement',
      ...createFault('Signature.Invalid', foreignStatement, 'software_statement'),
    },
  ]),
  408: bodyTooSlow,
  415: bodiless('Content-Type is neither application/jose nor application/jwt.'),
  503: refused(503, 'The directory does not answer, or, without a body, the service is overloaded.', [
    { error: 'temporarily_unavailable', ...keySetUnreadable },
  ]),
};

function registrationAnswer(description: string, headers: Answer['headers'] = []): Answer {
  return jsonAnswer(OBClientRegistration1, { description, headers: [...cached, ...headers] });
}

/** A JWS and its claims. */
const requestSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
  contentMediaType: 'application/jwt',
  contentSchema: { $ref: getSchemaPath(OBClientRegistrationRequest1) },
};

/** The signed request of POST and PUT. */
function signedBody(): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(OBClientRegistrationRequest1),
    ApiConsumes('application/jose', 'application/jwt'),
    ApiBody({
      required: true,
      description:
        'A JWS in compact form with the claims of OBClientRegistrationRequest1, signed with a key of the software ' +
        '(PS256 or ES256).',
      schema: requestSchema,
    }),
  );
}

function ownRegistration(): MethodDecorator {
  return applyDecorators(
    ApiTags(registration),
    ApiSecurity({ bearer: [], mutualTls: [] }),
    ApiSecurity({ basic: [], mutualTls: [] }),
    interactionId,
    ApiParam({
      name: 'ClientId',
      required: true,
      description: 'Id of the client.',
      schema: { type: 'string', format: 'uuid' },
    }),
    ApiAnswers({
      ...answers,
      401: bodiless(
        'No verified client certificate of the software; or no valid access token (client_credentials), or a wrong ' +
          'secret; or an unknown client.',
        ['www-authenticate'],
      ),
      403: refused(403, 'The credentials are those of another client.', [
        { error: 'access_denied', ...createFault('Registration.Forbidden', otherClient, 'ClientId') },
      ]),
    }),
  );
}

/** POST /register. */
export function ApiRegister(): MethodDecorator {
  return applyDecorators(
    ApiTags(registration),
    ApiOperation({
      operationId: 'RegisterClient',
      summary: 'Register a client',
      description:
        'The only credential is the client certificate, which must belong to the software of the software ' +
        'statement. New registrations only.',
    }),
    ApiSecurity('mutualTls'),
    interactionId,
    signedBody(),
    ApiAnswers({
      ...answers,
      ...signedRequestAnswers,
      201: registrationAnswer('The registration. client_secret is returned here and never again.', ['location']),
      401: bodiless('No verified client certificate.', ['www-authenticate']),
    }),
  );
}

/** GET /register/{ClientId}. */
export function ApiReadRegistration(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'GetClient',
      summary: 'Read a registration',
      description: 'The answer does not contain the secret.',
    }),
    ownRegistration(),
    ApiAnswers({
      200: registrationAnswer('The registration.'),
    }),
  );
}

/** PUT /register/{ClientId}. */
export function ApiReplaceRegistration(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'UpdateClient',
      summary: 'Replace a registration',
      description: 'Replaces the whole registration: a member you omit is removed or reset to its default.',
    }),
    ownRegistration(),
    signedBody(),
    ApiAnswers({ ...signedRequestAnswers, 200: registrationAnswer('The new registration.') }),
  );
}

/** DELETE /register/{ClientId}. */
export function ApiDeleteRegistration(): MethodDecorator {
  return applyDecorators(
    ApiOperation({
      operationId: 'DeleteClient',
      summary: 'Delete a registration',
      description: 'Deletes the client, its codes and its tokens, immediately and for ever.',
    }),
    ownRegistration(),
    ApiAnswers({ 204: bodiless('Deleted.') }),
  );
}

/** GET /.well-known/openid-configuration. */
export function ApiDiscovery(): MethodDecorator {
  return applyDecorators(
    ApiTags('Discovery'),
    ApiOperation({
      operationId: 'GetOpenidConfiguration',
      security: [],
      summary: 'Discover the service',
      description:
        'Contains every other address. Needs no client certificate. The same document is at ' +
        '/.well-known/openid-configuration and at the two locations of RFC 8414. It does not contain the bank’s ' +
        'organisation id: that is `iss` in the header of every signed answer, and `organisation_id` in the ' +
        'sandbox’s `sandbox.json`.',
    }),
    interactionId,
    ApiAnswers({
      ...commonAnswers,
      200: jsonAnswer(OpenidConfiguration, { description: 'The document.', headers: ['public cache', 'etag'] }),
      304: bodiless('The document has not changed: If-None-Match has its current tag.', ['etag']),
      406: bodiless('The Accept header does not allow application/json.'),
    }),
    ApiHeader({
      name: 'if-none-match',
      required: false,
      description: 'ETag of the copy that you have.',
      schema: { type: 'string' },
    }),
  );
}
