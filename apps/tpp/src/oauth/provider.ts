import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import type { HttpsClient } from '../https-client.js';
import { JourneyError, sendExpecting } from '../journey-error.js';
import { parseJsonObject } from '../json.js';

/** The bank as its discovery document describes it (OpenID Connect Discovery 1.0 s3). */
export interface ProviderMetadata {
  issuer: string;
  authorization_endpoint: string;
  /** this and the next for connections with our certificate (RFC 8705 s5) */
  token_endpoint: string;
  registration_endpoint: string;
  /** RFC 9126 s5 */
  pushed_authorization_request_endpoint?: string | undefined;
  jwks_uri: string;
}

/** Finds the bank's key for a signature of the bank. */
export type ProviderKeys = ReturnType<typeof createLocalJWKSet>;

/**
 * Reads the discovery document.
 * @throws JourneyError if it lacks what we need, or is of another issuer (Discovery s4.3)
 */
export async function discover(client: HttpsClient, discoveryUri: string): Promise<ProviderMetadata> {
  const headers = { accept: 'application/json' };
  const response = await sendExpecting(200, client, { method: 'GET', url: discoveryUri, headers });
  const metadata = parseJsonObject<Partial<ProviderMetadata> & { mtls_endpoint_aliases?: object }>(response);
  // RFC 8705 s5: a client with a certificate must use the aliases.
  const { token_endpoint, registration_endpoint, pushed_authorization_request_endpoint } = {
    ...metadata,
    ...metadata.mtls_endpoint_aliases,
  };
  const { issuer, authorization_endpoint, jwks_uri } = metadata;
  if (!issuer || !authorization_endpoint || !token_endpoint || !registration_endpoint || !jwks_uri) {
    throw new JourneyError('the discovery document lacks an address');
  }
  // OpenID Connect Discovery 1.0 s4: a `/` at the end of the issuer does not count.
  if (discoveryUri !== `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`) {
    throw new JourneyError(`the discovery document has another issuer: ${issuer}`);
  }
  const endpoints = { authorization_endpoint, token_endpoint, registration_endpoint };
  return { issuer, ...endpoints, pushed_authorization_request_endpoint, jwks_uri };
}

/** Reads the key set with which the signatures of its owner are verified. */
export async function fetchProviderKeys(client: HttpsClient, jwksUri: string): Promise<ProviderKeys> {
  const response = await sendExpecting(200, client, { method: 'GET', url: jwksUri });
  return createLocalJWKSet(parseJsonObject<JSONWebKeySet>(response));
}
