import { createHash, randomBytes } from 'node:crypto';
import type { HttpsClient } from '../https-client.js';
import { JourneyError } from '../journey-error.js';
import type { Purpose } from '../purpose.js';
import { type AuthenticatedClient, clientAuthentication, postForm } from './client-authentication.js';
import type { FapiProfile } from './register.js';
import { signJwt } from './sign-jwt.js';

/** A request for the customer's approval: the address to send the customer to, and what the answer must repeat. */
export interface AuthorizationRequest {
  url: string;
  state: string;
  nonce: string;
  redirectUri: string;
  /** the answer must be a JWT (JARM) */
  isJwtResponse?: boolean;
  /** only of a request for `code` alone, whose answer is in the query: to exchange the code with (RFC 7636 s4.5) */
  codeVerifier?: string;
  /** the ID tokens must have this `acr` */
  acr?: string | undefined;
}

/** What the customer is asked, and how. */
export interface Asked {
  /** the intent that the customer is to approve */
  consentId: string;
  /** what the intent is for; payments by default */
  purpose?: Purpose;
  /** asks for the answer as a JWT (JARM s2.3) */
  isJwtResponse?: boolean;
  /** how the customer must authenticate (OIDC Core s5.5.1.1) */
  acr?: string | undefined;
}

const responseType = 'code id_token';

/**
 * Creates a request in the hybrid flow with everything in a signed request object (FAPI 1.0 Advanced s5.2.2, OIDC Core
 * s6.1).
 */
export async function createAuthorizationRequest(
  options: Asked & Omit<AuthenticatedClient, 'authMethod'>,
): Promise<AuthorizationRequest> {
  const { provider, credentials, clientId } = options;
  const { parameters, kept } = startRequest(options, responseType);
  const url = new URL(provider.authorization_endpoint);
  // OAuth wants these four in the query as well (OIDC Core s6.1); they must agree with the request object.
  for (const name of ['client_id', 'response_type', 'scope', 'redirect_uri'] as const)
    url.searchParams.set(name, parameters[name]);
  url.searchParams.set('request', await signRequest(parameters, { provider, credentials, clientId }));
  return { url: url.href, ...kept };
}

/**
 * Pushes a request for `code` with PKCE (FAPI 2.0 Security Profile s5.3.2.2, RFC 9126): its parameters as they are, or
 * with FAPI 2.0 Message Signing in a signed request object (s5.3.1).
 * @param options.client with the TPP's certificate
 * @throws JourneyError if the bank offers no such endpoint, or refuses
 */
export async function pushAuthorizationRequest(
  options: Asked & AuthenticatedClient & { client: HttpsClient; fapiProfile: FapiProfile },
): Promise<AuthorizationRequest> {
  const { provider, credentials, clientId, client, fapiProfile } = options;
  const { pushed_authorization_request_endpoint: endpoint } = provider;
  if (endpoint === undefined) throw new JourneyError('the bank takes no pushed authorization requests');
  const codeVerifier = randomBytes(32).toString('base64url');
  const started = startRequest(options, 'code');
  const parameters = {
    ...started.parameters,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const isSigned = fapiProfile === 'fapi2-message-signing';
  const sent: Record<string, string> = isSigned
    ? { request: await signRequest(parameters, { provider, credentials, clientId }) }
    : { ...parameters, claims: JSON.stringify(parameters.claims) };
  const form = { ...sent, ...(await clientAuthentication(options)) };
  const { request_uri: requestUri } = await postForm<{ request_uri?: string }>(201, client, { url: endpoint, form });
  if (!requestUri) throw new JourneyError('the answer to the pushed request has no request_uri');
  const url = new URL(provider.authorization_endpoint);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('request_uri', requestUri);
  return { url: url.href, ...started.kept, codeVerifier };
}

/** @returns the parameters of a new request, and what its answer is checked against */
function startRequest(options: Asked & Omit<AuthenticatedClient, 'authMethod'>, type: 'code' | 'code id_token') {
  const { credentials, clientId, consentId, purpose = 'payments', isJwtResponse = false, acr } = options;
  const state = randomBytes(16).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const redirectUri = credentials.redirectUris[0] ?? '';
  const parameters = {
    client_id: clientId,
    response_type: type,
    ...(isJwtResponse && { response_mode: 'jwt' }),
    redirect_uri: redirectUri,
    scope: `openid ${purpose}`,
    state,
    nonce,
    claims: {
      id_token: {
        openbanking_intent_id: { value: consentId, essential: true },
        ...(acr !== undefined && { acr: { value: acr, essential: true } }),
      },
    },
  };
  return { parameters, kept: { state, nonce, redirectUri, isJwtResponse, acr } };
}

function signRequest(
  parameters: Record<string, unknown>,
  { provider, credentials, clientId }: Omit<AuthenticatedClient, 'authMethod'>,
): Promise<string> {
  const claims = { iss: clientId, aud: provider.issuer, nbf: Math.floor(Date.now() / 1_000), ...parameters };
  // RFC 9101 s10.8: the type keeps it from being taken for another JWT.
  return signJwt({ claims, credentials, expiresInSeconds: 300, typ: 'oauth-authz-req+jwt' });
}
