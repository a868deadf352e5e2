import type { HttpsClient } from '../https-client.js';
import { expectEqual } from '../journey-error.js';
import { type AuthenticatedClient, clientAuthentication, postForm } from './client-authentication.js';

/** A token response (RFC 6749 s5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  id_token?: string;
}

/** The parameters that differ between the grants. */
export type TokenGrant =
  | { grant_type: 'client_credentials'; scope: string }
  | { grant_type: 'authorization_code'; code: string; redirect_uri: string; scope: string; code_verifier?: string };

/**
 * Gets a token over mutual TLS, with private_key_jwt unless the certificate alone authenticates; the token is bound to
 * our certificate (RFC 7523 s2.2, RFC 8705 s3).
 */
export async function requestToken(
  options: AuthenticatedClient & { client: HttpsClient; grant: TokenGrant },
): Promise<TokenResponse> {
  const { client, provider, grant } = options;
  const form = { ...grant, ...(await clientAuthentication(options)) };
  const token = await postForm<TokenResponse>(200, client, { url: provider.token_endpoint, form });
  expectEqual(token.token_type.toLowerCase(), 'bearer', 'the token_type');
  return token;
}
