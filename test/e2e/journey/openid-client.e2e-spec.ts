import { randomUUID, webcrypto } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as openid from 'openid-client';
import { signJwt } from '../../support/apps/tpp.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

let sandbox: TestSandbox;
let tpp: TestTpp;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await sandbox?.stop();
});

/** fetch() over node:https, which can show a client certificate. */
const mutualTlsFetch: openid.CustomFetch = async (url, { method, headers, body }) => {
  const {
    status,
    headers: answered,
    body: bytes,
  } = await httpsRequest({
    url,
    method,
    headers,
    agent: tpp.agent,
    ...(body === undefined || body === null ? {} : { body: body.toString() }),
  });
  const entries = Object.entries(answered).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, { status, headers: entries });
};

async function importSigningKey(): Promise<webcrypto.CryptoKey> {
  const pkcs8 = tpp.credentials.signingKey.export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-PSS', hash: 'SHA-256' }, false, ['sign']);
}

/** The library, configured as the TPP's client by discovery. */
async function discover(key: webcrypto.CryptoKey): Promise<openid.Configuration> {
  const { signingKid, redirectUris } = tpp.credentials;
  const config = await openid.discovery(
    new URL(sandbox.description.issuer),
    tpp.clientId,
    {
      redirect_uris: [...redirectUris],
      id_token_signed_response_alg: 'PS256',
      request_object_signing_alg: 'PS256',
      response_types: ['code id_token'],
      use_mtls_endpoint_aliases: true,
    },
    openid.PrivateKeyJwt({ key, kid: signingKid }),
    { [openid.customFetch]: mutualTlsFetch },
  );
  openid.useCodeIdTokenResponseType(config);
  // FAPI: the ID token is the signature over the authorization response (c_hash and s_hash are demanded).
  openid.enableDetachedSignatureResponseChecks(config);
  // Without this the library takes ID tokens from the token endpoint on the word of TLS.
  openid.enableNonRepudiationChecks(config);
  return config;
}

describe('a file payment with a certified OpenID client library on the side of the TPP', () => {
  it('gets its tokens, the approval and the payments', async () => {
    const key = await importSigningKey();
    const { signingKid: kid, redirectUris } = tpp.credentials;
    const [redirectUri = ''] = redirectUris;
    const scope = 'openid payments';
    const config = await discover(key);
    const own = await openid.clientCredentialsGrant(config, { scope: 'payments' });
    expect(own.token_type.toLowerCase()).toBe('bearer');
    const file = aPaymentFile({ payments: 150 });
    const initiation = anInitiation(file);
    const consentId = await tpp.stageFile(file);
    expect((await tpp.get(`/file-payment-consents/${consentId}`, { accessToken: own.access_token })).status).toBe(200);

    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const claims = { id_token: { openbanking_intent_id: { value: consentId, essential: true } } };
    const parameters = { redirect_uri: redirectUri, scope, state, nonce, response_type: 'code id_token' };
    const address = await openid.buildAuthorizationUrlWithJAR(
      config,
      { ...parameters, claims: JSON.stringify(claims) },
      { key, kid },
    );
    // OIDC Core s6.1: what OAuth requires stands in the query as well.
    address.searchParams.set('response_type', 'code id_token');
    address.searchParams.set('scope', scope);
    address.searchParams.set('redirect_uri', redirectUri);
    const callback = await tpp.approveInPages({ url: address.href, redirectUri });

    const tokens = await openid.authorizationCodeGrant(config, new URL(callback), {
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.claims()).toMatchObject({ openbanking_intent_id: consentId, aud: tpp.clientId, nonce });
    const paid = await tpp.pay({ consentId, initiation }, { accessToken: tokens.access_token });
    expect({ status: paid.status, data: paid.json()['Data'] }).toMatchObject({
      status: 201,
      data: { ConsentId: consentId, Status: 'InitiationPending' },
    });

    // A code is good for one exchange (RFC 6749 s4.1.2).
    const again = openid.authorizationCodeGrant(config, new URL(callback), {
      expectedState: state,
      expectedNonce: nonce,
    });
    await expect(again).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('pushes its request (RFC 9126), and the approval comes back to it', async () => {
    const key = await importSigningKey();
    const config = await discover(key);
    const { signingKid: kid, redirectUris } = tpp.credentials;
    const [redirectUri = ''] = redirectUris;
    const consentId = await tpp.stageFile();
    const claims = { id_token: { openbanking_intent_id: { value: consentId, essential: true } } };
    const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
    const parameters = {
      redirect_uri: redirectUri,
      scope: 'openid payments',
      state,
      nonce,
      response_type: 'code id_token',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      claims: JSON.stringify(claims),
    };
    const signed = await openid.buildAuthorizationUrlWithJAR(config, parameters, { key, kid });
    const address = await openid.buildAuthorizationUrlWithPAR(config, signed.searchParams);
    expect([...address.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
    const callback = await tpp.approveInPages({ url: address.href, redirectUri });
    const tokens = await openid.authorizationCodeGrant(config, new URL(callback), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    expect(tokens.claims()).toMatchObject({ openbanking_intent_id: consentId, aud: tpp.clientId, nonce });
  });

  it('sees an error of the authorization endpoint as an error', async () => {
    const consentId = await tpp.stageConsent();
    const request = await tpp.createAuthorizationRequest(consentId);
    const answer = await httpsRequest({ url: request.url, agent: sandbox.agent });
    const config = new openid.Configuration(
      { issuer: sandbox.description.issuer, token_endpoint: sandbox.description.token_endpoint },
      tpp.clientId,
    );
    openid.useCodeIdTokenResponseType(config);
    const grant = openid.authorizationCodeGrant(config, new URL(String(answer.headers.location)), {
      expectedState: request.state,
      expectedNonce: request.nonce,
    });
    await expect(grant).rejects.toMatchObject({ error: 'invalid_request' });
  });
});

function requestToken(assertion: string): Promise<TestResponse> {
  return httpsRequest({
    url: sandbox.description.token_endpoint,
    method: 'POST',
    agent: tpp.agent,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: 'payments',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }).toString(),
  });
}

/** @returns an assertion of the TPP; claims given replace its own */
function sign(claims: Record<string, unknown> = {}): Promise<string> {
  const { clientId, credentials } = tpp;
  const own = { iss: clientId, sub: clientId, aud: sandbox.description.issuer };
  return signJwt({ claims: { ...own, ...claims }, credentials, expiresInSeconds: 60 });
}

describe('a client assertion', () => {
  it('is valid for one token, even if sent ten times simultaneously (RFC 7523 s3)', async () => {
    const assertion = await sign();
    const responses = await Promise.all(Array.from({ length: 10 }, () => requestToken(assertion)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 200)) {
      expectOAuthError(response, 401, 'invalid_client');
    }
  });

  it('is refused for another audience, and from another TPP', async () => {
    expectOAuthError(await requestToken(await sign({ aud: 'https://bank.example.com' })), 401, 'invalid_client');
    expectOAuthError(await requestToken(await sign({ iss: randomUUID(), sub: randomUUID() })), 401, 'invalid_client');
  });
});

describe('the signature of a request object', () => {
  it.each<[string, (jws: string) => string]>([
    [
      'is of another key',
      (jws) => `${jws.split('.').slice(0, 2).join('.')}.${Buffer.alloc(256, 3).toString('base64url')}`,
    ],
    ['covers other claims', (jws) => withOtherClaims(jws)],
    ['is missing', (jws) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${jws.split('.')[1]}.`],
  ])('counts: an object whose signature %s leads to no page and no code', async (_title, change) => {
    const consentId = await tpp.stageFile();
    const { url } = await tpp.createAuthorizationRequest(consentId);
    const address = new URL(url);
    address.searchParams.set('request', change(address.searchParams.get('request') ?? ''));
    const { status, headers, text } = await httpsRequest({ url: address.href, agent: sandbox.agent });
    const location = String(headers.location ?? '');
    expect([302, 400]).toContain(status);
    expect(`${location} ${text}`).toContain('invalid_request_object');
    expect(`${location} ${text}`).not.toMatch(/[#&?]code=|id="username"/);
    expect(await tpp.consentStatus(consentId)).toBe('AwaitingAuthorisation');
  });
});

function withOtherClaims(jws: string): string {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const changed = Buffer.from(JSON.stringify({ ...claims, state: 'of somebody else' })).toString('base64url');
  return [header, changed, signature].join('.');
}
