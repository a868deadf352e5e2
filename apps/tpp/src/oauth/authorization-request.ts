import { randomBytes } from 'node:crypto';
import type { Purpose } from '../purpose.js';
import type { TppCredentials } from '../tpp-credentials.js';
import type { ProviderMetadata } from './provider.js';
import { signJwt } from './sign-jwt.js';

/** A request for the customer's approval: the address to send the customer to, and what the answer must repeat. */
export interface AuthorizationRequest {
  url: string;
  state: string;
  nonce: string;
  redirectUri: string;
  /** the answer must be a JWT (JARM) */
  isJwtResponse?: boolean;
  /** the ID tokens must have this `acr` */
  acr?: string | undefined;
}

const responseType = 'code id_token';

/**
 * Creates a request in the hybrid flow with everything in a signed request object (FAPI 1.0 Advanced s5.2.2, OIDC Core s6.1).
 * @param options.consentId the intent that the customer is to approve
 * @param options.isJwtResponse asks for the answer as a JWT (JARM s2.3)
 * @param options.acr how the customer must authenticate (OIDC Core s5.5.1.1)
 */
export async function createAuthorizationRequest(options: {
  provider: ProviderMetadata;
  credentials: TppCredentials;
  clientId: string;
  consentId: string;
  /** what the intent is for; payments by default */
  purpose?: Purpose;
  isJwtResponse?: boolean;
  acr?: string | undefined;
}): Promise<AuthorizationRequest> {
  const { provider, credentials, clientId, consentId, purpose = 'payments', isJwtResponse = false, acr } = options;
  const scope = `openid ${purpose}`;
  const state = randomBytes(16).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const redirectUri = credentials.redirectUris[0] ?? '';
  const claims = {
    iss: clientId,
    aud: provider.issuer,
    nbf: Math.floor(Date.now() / 1_000),
    client_id: clientId,
    response_type: responseType,
    ...(isJwtResponse && { response_mode: 'jwt' }),
    redirect_uri: redirectUri,
    scope,
    state,
    nonce,
    claims: {
      id_token: {
        openbanking_intent_id: { value: consentId, essential: true },
        ...(acr !== undefined && { acr: { value: acr, essential: true } }),
      },
    },
  };
  const url = new URL(provider.authorization_endpoint);
  // OAuth wants these four in the query as well (OIDC Core s6.1); they must agree with the request object.
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('response_type', responseType);
  url.searchParams.set('scope', scope);
  url.searchParams.set('redirect_uri', redirectUri);
  // RFC 9101 s10.8: not to be taken for another JWT.
  const typ = 'oauth-authz-req+jwt';
  url.searchParams.set('request', await signJwt({ claims, credentials, expiresInSeconds: 300, typ }));
  return { url: url.href, state, nonce, redirectUri, isJwtResponse, acr };
}
