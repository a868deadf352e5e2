import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from 'jose';
import type { HttpsClient } from '../https-client.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { createAuthorizationRequest } from './authorization-request.js';
import { verifyIdToken } from './authorization-response.js';
import { discover, type ProviderKeys, type ProviderMetadata } from './provider.js';

const issuer = 'https://bank.example/open-banking/v3.0';
const provider = { issuer, authorization_endpoint: 'https://bank.example/authorize' } as ProviderMetadata;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

async function verify(difference: Record<string, unknown> = {}, acr?: string): Promise<unknown> {
  const now = Math.floor(Date.now() / 1_000);
  const ids = { iss: issuer, aud: 'c1', sub: 's', nonce: 'n', openbanking_intent_id: 'intent' };
  const claims = { ...ids, iat: now, exp: now + 300, acr: 'urn:openbanking:psd2:sca', ...difference };
  const jwk = { ...(await exportJWK(createPublicKey(privateKey))), kid: 'bank', alg: 'PS256' };
  return verifyIdToken({
    idToken: await new SignJWT(claims).setProtectedHeader({ alg: 'PS256', kid: 'bank' }).sign(privateKey),
    provider,
    keys: createLocalJWKSet({ keys: [jwk] }) as ProviderKeys,
    clientId: 'c1',
    consentId: 'intent',
    request: { nonce: 'n', acr },
    accessToken: 'token',
  });
}

describe('an ID token (OIDC Core s3.1.3.7)', () => {
  it.each<[string, Record<string, unknown>]>([
    ['as it is', {}],
    ['for a list of us alone', { aud: ['c1'] }],
    ['with us as azp', { azp: 'c1' }],
    ['with the right at_hash', { at_hash: halfHash('token') }],
    ['with the acr that was asked for', { acr: 'urn:openbanking:psd2:sca' }],
  ])('is taken %s', async (_what, difference) => {
    await expect(verify(difference, 'urn:openbanking:psd2:sca')).resolves.toMatchObject({ sub: 's' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['for a second audience', { aud: ['c1', 'c2'] }, 'is for another client too: "c2"'],
    ['made for somebody else', { azp: 'c2' }, 'azp of the ID token is "c2"'],
    ['of another access token', { at_hash: halfHash('other') }, 'at_hash of the ID token'],
    ['made long ago', { iat: Math.floor(Date.now() / 1_000) - 601 }, 'too long ago'],
    ['of another acr', { acr: 'urn:openbanking:psd2:ca' }, 'acr of the ID token'],
  ])('is refused %s', async (_what, difference, message) => {
    await expect(verify(difference, 'urn:openbanking:psd2:sca')).rejects.toThrow(message);
  });
});

const read = (metadata: Partial<ProviderMetadata> & Record<string, unknown>): Promise<ProviderMetadata> => {
  const body = Buffer.from(
    JSON.stringify({ ...provider, token_endpoint: 't', registration_endpoint: 'r', jwks_uri: 'j', ...metadata }),
  );
  const client = { send: async () => ({ status: 200, headers: {}, body }) } as unknown as HttpsClient;
  return discover(client, `${issuer}/.well-known/openid-configuration`);
};

describe('the discovery document', () => {
  it('may name an issuer that ends in / (Discovery s4)', async () => {
    await expect(read({ issuer: `${issuer}/` })).resolves.toMatchObject({ issuer: `${issuer}/` });
    await expect(read({ issuer: `${issuer}//` })).rejects.toThrow('another issuer');
  });

  it('leads to the addresses for client certificates (RFC 8705 s5)', async () => {
    const aliases = { token_endpoint: 'mtls-t', authorization_endpoint: 'mtls-a', issuer: 'other' };
    await expect(read({ mtls_endpoint_aliases: aliases })).resolves.toEqual({
      ...provider,
      token_endpoint: 'mtls-t',
      registration_endpoint: 'r',
      jwks_uri: 'j',
    });
  });
});

it('a request object names its type (RFC 9101 s10.8), and the acr that it asks for', async () => {
  const credentials = { redirectUris: ['https://tpp.example'], signingKey: privateKey, signingAlgorithm: 'PS256' };
  const { url } = await createAuthorizationRequest({
    provider,
    credentials: credentials as unknown as TppCredentials,
    clientId: 'c1',
    consentId: 'intent',
    acr: 'urn:openbanking:psd2:sca',
  });
  const object = new URL(url).searchParams.get('request') ?? '';
  expect(decodeProtectedHeader(object).typ).toBe('oauth-authz-req+jwt');
  expect(decodeJwt(object)['claims']).toMatchObject({
    id_token: { acr: { value: 'urn:openbanking:psd2:sca', essential: true } },
  });
});
