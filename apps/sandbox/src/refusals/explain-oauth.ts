import { ClientAssertionReusedError, OAuthError, parseBasicAuthorization } from '#libs/oauth';
import { certificateOf, describeCertificate } from './explain-certificate.js';
import { explainMember, explainSignature, type ExpectedJwt } from './explain-jwt.js';
import { finding, type Finding } from './finding.js';
import { findKnownClient, type KnownClient } from './known-client.js';
import { bodyOf, decodeJwt, type RefusedCase } from './refused-case.js';

/** Why the token endpoint refused: RFC 6749 s5.2 hides it from callers, here it is said. */
export async function explainTokenRefusal(refused: RefusedCase, error: OAuthError): Promise<Finding[]> {
  const form = new URLSearchParams(bodyOf(refused.request).toString());
  const assertion = form.get('client_assertion') ?? undefined;
  const { claims } = decodeJwt(assertion);
  const subject = typeof claims['sub'] === 'string' ? claims['sub'] : undefined;
  const clientId = form.get('client_id') ?? subject ?? basicClientId(refused);
  const client = await findKnownClient(refused.pool, clientId);
  const detail = error.detail ?? error.description;
  const expected: ExpectedJwt = {
    kind: 'client-assertion',
    jwt: assertion,
    algorithm: client?.assertionAlgorithm ?? 'PS256',
    software: client,
    claims: { iss: clientId, sub: clientId, aud: refused.config.issuer, jti: 'a new text for every request' },
  };
  const [, member] = /^assertion: (\w+) is missing or wrong$/.exec(detail) ?? [];
  if (member !== undefined) return [explainMember(refused, expected, member)];
  if (/^assertion: (?:alg is not|no key for|signature does not)/.test(detail)) {
    return [await explainSignature(refused, expected)];
  }
  if (error instanceof ClientAssertionReusedError) {
    return [finding('client-assertion.jti-reused', { expected: 'a jti that was never used', got: claims['jti'] })];
  }
  return [explainOther({ refused, error, detail, client, clientId, form })];
}

function explainOther(options: {
  refused: RefusedCase;
  error: OAuthError;
  detail: string;
  client: KnownClient | undefined;
  clientId: string | undefined;
  form: URLSearchParams;
}): Finding {
  const { refused, error, detail, client, clientId, form } = options;
  const certificate = describeCertificate(certificateOf(refused.request));
  if (detail === 'client is not known' || (error.error === 'invalid_client' && client?.status !== 'Active')) {
    return finding('client.unknown', {
      expected: 'the client_id of a registration that exists and is active',
      got: client === undefined ? clientId : `${clientId}, which is ${client.status}`,
    });
  }
  if (detail === 'certificate of another software') {
    return finding('certificate.owner', { expected: `of ${client?.orgId}/${client?.softwareId}`, got: certificate });
  }
  if (detail === 'certificate has another subject') {
    return finding('certificate.subject', { expected: client?.subjectDn, got: certificate });
  }
  if (detail.startsWith('client is registered for')) {
    return finding('client.method', { expected: client?.authMethod, got: methodOf(form, refused) });
  }
  if (detail === 'client secret is wrong') {
    return finding('client.secret', { expected: 'the secret that registration returned', got: 'another one' });
  }
  if (error.error === 'invalid_scope') {
    return finding('scope', { expected: `some of: ${client?.scope}`, got: form.get('scope') ?? 'nothing' });
  }
  if (detail === 'redirect_uri is another') {
    return finding('grant.redirect_uri', {
      expected: 'the redirect_uri of the authorization request',
      got: form.get('redirect_uri') ?? 'nothing',
    });
  }
  if (error.error === 'invalid_grant') {
    return finding('grant.code', { expected: 'a code of this client, unused and not expired', got: detail });
  }
  if (error.error === 'unauthorized_client' || error.error === 'unsupported_grant_type') {
    return finding('grant.type', { expected: 'a registered grant type', got: form.get('grant_type') ?? 'nothing' });
  }
  if (error.status >= 500) return finding('unavailable', { expected: 'an answer', got: detail });
  return finding(error.error === 'invalid_request' ? 'request' : 'other', { expected: detail, got: 'not so' });
}

/** Of a client that sends Basic, nothing else says who it is. */
function basicClientId({ request }: RefusedCase): string | undefined {
  try {
    return parseBasicAuthorization(request.headers.authorization ?? '').clientId;
  } catch {
    // InvalidClientError: there is none, or nobody can read it.
    return undefined;
  }
}

function methodOf(form: URLSearchParams, { request }: RefusedCase): string {
  if (request.headers.authorization !== undefined) return 'client_secret_basic';
  if (form.has('client_assertion')) return 'a client assertion (private_key_jwt or client_secret_jwt)';
  return form.has('client_secret') ? 'client_secret_post' : 'tls_client_auth';
}

/** The parameters of an authorization request, in the address or in the form. */
function authorizationParameters({ request }: RefusedCase): URLSearchParams {
  if (request.method === 'POST') return new URLSearchParams(bodyOf(request).toString());
  return new URL(request.url, 'https://bank.invalid').searchParams;
}

/** Messages of the authorization endpoint about a claim of the request object, by a word of them. */
const requestObjectClaims: readonly (readonly [RegExp, string])[] = [
  [/^client_id is missing in the request object/, 'client_id'],
  [/^iss of the request object/, 'iss'],
  [/^aud of the request object/, 'aud'],
  [/^(?:exp |request object has expired)/, 'exp'],
  [/^(?:nbf |request object is not valid yet)/, 'nbf'],
  [/^iat of the request object/, 'iat'],
  [/^nonce is missing/, 'nonce'],
];

/** Why the authorization endpoint refused. */
export async function explainAuthorizationRefusal(refused: RefusedCase, error: OAuthError): Promise<Finding[]> {
  const query = authorizationParameters(refused);
  const clientId = query.get('client_id') ?? undefined;
  const jwt = query.get('request') ?? undefined;
  const client = await findKnownClient(refused.pool, clientId);
  const { claims } = decodeJwt(jwt);
  const { description } = error;
  if (description === 'client_id is not known') {
    return [finding('client.unknown', { expected: 'a client of this bank', got: clientId })];
  }
  const expected: ExpectedJwt = {
    kind: 'request-object',
    jwt,
    algorithm: client?.requestObjectAlgorithm ?? 'PS256',
    software: client,
    claims: {
      client_id: clientId,
      iss: clientId,
      aud: refused.config.issuer,
      nonce: 'a random text',
    },
  };
  if (/redirect_uri is not registered|redirect_uri is missing/.test(description)) {
    return [
      finding('authorization.redirect_uri', {
        expected: client?.redirectUris.join(' or '),
        got: claims['redirect_uri'] ?? query.get('redirect_uri') ?? undefined,
      }),
    ];
  }
  if (/registered algorithm|no key of the client|signature of the request object/.test(description)) {
    return [await explainSignature(refused, expected)];
  }
  const [, member] = requestObjectClaims.find(([pattern]) => pattern.test(description)) ?? [];
  if (member !== undefined) return [explainMember(refused, expected, member)];
  if (description.startsWith('openbanking_intent_id')) {
    return [finding('request-object.intent', { expected: 'a ConsentId', got: description })];
  }
  if (error.error === 'invalid_scope') {
    return [finding('scope', { expected: `some of: ${client?.scope}`, got: claims['scope'] })];
  }
  if (error.status >= 500) return [finding('unavailable', { expected: 'an answer', got: error.detail ?? description })];
  const rule = error.error === 'invalid_request_object' ? 'request-object' : 'request';
  return [finding(rule, { expected: error.detail ?? description, got: 'not so' })];
}
