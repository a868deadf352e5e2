import { createHash } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import { expectEqual, JourneyError, SentBackError } from '../journey-error.js';
import type { AuthorizationRequest } from './authorization-request.js';
import type { ProviderKeys, ProviderMetadata } from './provider.js';

/** An ID token is made when it is sent; this allows for clocks and slow networks. */
const oldestIdTokenSeconds = 600;

/** Who must have signed an answer, and the client whom it must be for. */
interface Expected {
  provider: ProviderMetadata;
  keys: ProviderKeys;
  clientId: string;
}

/**
 * Checks what the bank sent back with the customer (OIDC Core s3.3.2.9 to s3.3.2.11, FAPI 1.0 Advanced s5.2.3, RFC 9207
 * s2.4).
 * @param options.location the address the customer's browser was sent to
 * @returns the authorization code
 */
export async function verifyAuthorizationResponse(
  options: Expected & { location: string; request: AuthorizationRequest; consentId: string },
): Promise<string> {
  const { location, request, ...expected } = options;
  const { provider } = expected;
  const isCodeAlone = request.codeVerifier !== undefined;
  const { hash, searchParams } = new URL(location);
  const sent = isCodeAlone ? searchParams : new URLSearchParams(hash.slice(1));
  if (hash === '' && searchParams.size === 0)
    throw new JourneyError('the address has no answer of the bank: copy all of it, to its end');
  const parameters = request.isJwtResponse === true ? await readJwtResponse(sent, expected) : sent;
  // RFC 9207 s2.4: ignore responses of another issuer, errors included.
  expectEqual(parameters.get('iss'), provider.issuer, 'the issuer (iss)');
  const error = parameters.get('error');
  if (error) throw new SentBackError(error, parameters.get('error_description'));
  expectEqual(parameters.get('state'), request.state, 'the state');
  const [code, idToken] = [parameters.get('code'), parameters.get('id_token')];
  if (code && isCodeAlone) return code;
  if (!code || !idToken) throw new JourneyError('the bank sent the customer back without code or ID token');
  const claims = await verifyIdToken({ idToken, request, ...expected });
  // These two bind code and state to the signature.
  expectEqual(claims['c_hash'], leftHalfHash(code), 'c_hash of the ID token');
  expectEqual(claims['s_hash'], leftHalfHash(request.state), 's_hash of the ID token');
  return code;
}

/**
 * Checks signature, issuer, audience and lifetime of an answer that is a JWT (JARM s2.4).
 * @returns its parameters; others are ignored
 */
async function readJwtResponse(sent: URLSearchParams, expected: Expected): Promise<URLSearchParams> {
  const payload = await verifyJwt(sent.get('response') ?? '', expected, { what: 'the answer', claims: ['exp'] });
  const texts = Object.entries(payload).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new URLSearchParams(texts);
}

/**
 * Checks an ID token of either endpoint (OIDC Core s3.1.3.7).
 * @param options.accessToken that came with it
 * @returns its claims
 */
export async function verifyIdToken(
  options: Expected & {
    idToken: string;
    consentId: string;
    request: Pick<AuthorizationRequest, 'nonce' | 'acr'>;
    accessToken?: string;
  },
): Promise<JWTPayload> {
  const { idToken, clientId, consentId, request, accessToken } = options;
  const payload = await verifyJwt(idToken, options, { what: 'the ID token', claims: ['sub', 'exp', 'iat'] });
  const { iat = 0, azp = clientId, at_hash: atHash, acr } = payload;
  expectEqual(azp, clientId, 'azp of the ID token');
  if (iat < Date.now() / 1_000 - oldestIdTokenSeconds) throw new JourneyError('the ID token was made too long ago');
  expectEqual(payload['nonce'], request.nonce, 'the nonce of the ID token');
  expectEqual(payload['openbanking_intent_id'], consentId, 'openbanking_intent_id of the ID token');
  if (request.acr !== undefined) expectEqual(acr, request.acr, 'acr of the ID token');
  if (accessToken !== undefined && atHash !== undefined)
    expectEqual(atHash, leftHalfHash(accessToken), 'at_hash of the ID token');
  return payload;
}

/**
 * @param claims that it must have
 * @returns the claims of a JWT of the bank for this client alone
 */
async function verifyJwt(
  jwt: string,
  { provider, keys, clientId }: Expected,
  { what, claims: requiredClaims }: { what: string; claims: string[] },
): Promise<JWTPayload> {
  const { issuer } = provider;
  const { payload } = await jwtVerify(jwt, keys, {
    algorithms: ['PS256'],
    issuer,
    audience: clientId,
    requiredClaims,
  }).catch((cause: unknown) => {
    throw new JourneyError(`${what} does not verify: ${cause instanceof Error ? cause.message : ''}`, { cause });
  });
  // OIDC Core s3.1.3.7 item 3: we trust no other audience.
  const other = [payload.aud ?? []].flat().find((audience) => audience !== clientId);
  if (other !== undefined) throw new JourneyError(`${what} is for another client too: ${JSON.stringify(other)}`);
  return payload;
}

/** OIDC Core s3.3.2.11: the left half of the SHA-256, for signatures of 256 bits. */
function leftHalfHash(text: string): string {
  return createHash('sha256').update(text, 'ascii').digest().subarray(0, 16).toString('base64url');
}
