import type { HttpsClient } from '../https-client.js';
import { sendExpecting } from '../journey-error.js';
import { parseJsonObject } from '../json.js';
import type { TppCredentials } from '../tpp-credentials.js';
import type { ProviderMetadata } from './provider.js';
import type { AuthMethod } from './register.js';
import { signJwt } from './sign-jwt.js';

/** A client at a bank, and how it authenticates there. */
export interface AuthenticatedClient {
  provider: ProviderMetadata;
  credentials: TppCredentials;
  clientId: string;
  /** default: private_key_jwt; with tls_client_auth the certificate alone authenticates */
  authMethod?: AuthMethod;
}

/** @returns the parameters that authenticate a client at the token and PAR endpoint (RFC 7523 s2.2, RFC 9126 s2.1) */
export async function clientAuthentication(options: AuthenticatedClient): Promise<Record<string, string>> {
  const { provider, credentials, clientId, authMethod = 'private_key_jwt' } = options;
  if (authMethod === 'tls_client_auth') return { client_id: clientId };
  const claims = { iss: clientId, sub: clientId, aud: provider.issuer };
  return {
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await signJwt({ claims, credentials, expiresInSeconds: 60 }),
  };
}

/** Sends a form to the token or PAR endpoint. */
export async function postForm<Answer extends object>(
  expected: number,
  client: HttpsClient,
  { url, form }: { url: string; form: Readonly<Record<string, string>> },
): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const body = new URLSearchParams(form).toString();
  return parseJsonObject<Answer>(await sendExpecting(expected, client, { method: 'POST', url, headers, body }));
}
