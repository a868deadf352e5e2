import type { HttpsClient } from '../https-client.js';
import { expectEqual, JourneyError, sendExpecting } from '../journey-error.js';
import { parseJsonObject } from '../json.js';
import type { TppCredentials } from '../tpp-credentials.js';
import type { ProviderMetadata } from './provider.js';
import { signJwt } from './sign-jwt.js';

/** How the client will authenticate at the token endpoint: the methods of FAPI 1.0 Advanced (s5.2.2). */
export type AuthMethod = 'private_key_jwt' | 'tls_client_auth';

/** Security profiles that a client may choose where the bank lets it. */
export const fapiProfiles = ['fapi1-advanced', 'fapi2-security', 'fapi2-message-signing'] as const;
export type FapiProfile = (typeof fapiProfiles)[number];

/** What a client may register for. */
interface RegistrationChoices {
  /** undefined: the bank's default, in requests FAPI 1.0 Advanced */
  fapiProfile?: FapiProfile | undefined;
  /** default: private_key_jwt */
  authMethod?: AuthMethod;
  /** answers to authorization requests as a JWT (JARM), also for `code` */
  isJwtResponse?: boolean;
  /** for refresh tokens */
  isRefreshed?: boolean;
}

/** The claims of a registration request, under the names of RFC 7591 (OBIE dynamic client registration 3.2). */
export function registrationClaims(
  provider: ProviderMetadata,
  credentials: TppCredentials,
  { fapiProfile, authMethod = 'private_key_jwt', isJwtResponse = false, isRefreshed = false }: RegistrationChoices = {},
): Record<string, unknown> {
  const hybrid = fapiProfile === undefined || fapiProfile === 'fapi1-advanced' ? ['code id_token'] : [];
  const { softwareId, redirectUris, softwareStatement, signingAlgorithm } = credentials;
  return {
    iss: softwareId,
    aud: provider.issuer,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: authMethod,
    ...(authMethod === 'private_key_jwt' && { token_endpoint_auth_signing_alg: signingAlgorithm }),
    grant_types: ['client_credentials', 'authorization_code', ...(isRefreshed ? ['refresh_token'] : [])],
    response_types: isJwtResponse || hybrid.length === 0 ? ['code', ...hybrid] : hybrid,
    ...(fapiProfile !== undefined && { fapi_profile: fapiProfile }),
    ...(isJwtResponse && { authorization_signed_response_alg: 'PS256' }),
    software_id: softwareId,
    scope: scopeOf(softwareStatement),
    software_statement: softwareStatement,
    application_type: 'web',
    id_token_signed_response_alg: 'PS256',
    request_object_signing_alg: signingAlgorithm,
  };
}

/** The scope of each directory role. */
const scopes: Readonly<Record<string, string>> = {
  AISP: 'accounts',
  PISP: 'payments',
  CBPII: 'fundsconfirmations',
};

/** @returns the scopes of the software's roles that this program supports */
function scopeOf(softwareStatement: string): string {
  const [, payload = ''] = softwareStatement.split('.');
  const { software_roles: roles = [] } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    software_roles?: readonly string[];
  };
  return [
    'openid',
    ...Object.keys(scopes)
      .filter((role) => roles.includes(role))
      .map((role) => scopes[role]),
  ].join(' ');
}

interface Registering {
  client: HttpsClient;
  provider: ProviderMetadata;
  credentials: TppCredentials;
}

/**
 * Registers the TPP's software as a client.
 * @returns the client id
 */
export async function register(options: RegistrationChoices & Registering): Promise<string> {
  const { client, provider, credentials, ...choices } = options;
  const claims = registrationClaims(provider, credentials, choices);
  const response = await sendExpecting(201, client, {
    method: 'POST',
    url: provider.registration_endpoint,
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: await signJwt({ claims, credentials, expiresInSeconds: 300 }),
  });
  const registered = parseJsonObject(response);
  const chosen = choices.fapiProfile === undefined ? [] : ['fapi_profile'];
  for (const name of ['software_id', 'token_endpoint_auth_method', 'scope', ...chosen]) {
    expectEqual(registered[name], claims[name], `the registered ${name}`);
  }
  const { client_id: clientId } = registered;
  if (typeof clientId !== 'string') throw new JourneyError('the registration has no client_id');
  return clientId;
}
