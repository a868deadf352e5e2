import { createSecretKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { defaultProfile } from '../../../../test/support/profile-settings.js';
import { aKeyFinder } from '../../../../test/support/a-key-finder.js';
import { OAuthError } from '../errors/oauth-error.js';
import { InvalidClientError } from '../errors/protocol-errors.js';
import type { OAuthClient, TokenEndpointAuthMethod } from '../oauth-client.js';
import { JWT_BEARER_ASSERTION_TYPE } from '../token-request/parse-client-credentials.js';
import { parseTokenRequest } from '../token-request/parse-token-request.js';
import { authenticateClient } from './authenticate-client.js';
import { hashClientSecret } from './client-secret.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const peppers = [{ id: 'test', key: Buffer.from('test pepper') }];
const secret: string = randomUUID();
const issuer = 'https://bank.example/open-banking/v3.0';
const tokenEndpoint = 'https://token.bank.example/oauth2/token';
const alias = 'https://mtls.bank.example/oauth2/token';
const now = new Date('2026-03-01T12:00:00Z');
const seconds = now.getTime() / 1000;

const aClient = (method: TokenEndpointAuthMethod, changes: Partial<OAuthClient> = {}): OAuthClient => ({
  clientId: 'c1',
  orgId: 'org',
  softwareId: 'software',
  clientName: 'TPP',
  orgName: 'TPP Ltd',
  redirectUris: ['https://tpp.example/cb'],
  grantTypes: ['authorization_code', 'client_credentials'],
  responseTypes: ['code id_token'],
  scope: ['openid', 'payments'],
  tokenEndpointAuthMethod: method,
  idTokenSignedResponseAlg: 'PS256',
  requestObjectSigningAlg: 'PS256',
  authorizationSignedResponseAlg: 'PS256',
  tlsClientAuthSubjectDn: 'CN=c1,O=TPP Ltd,C=GB',
  jwksUri: 'https://keys.example/jwks',
  secretHash: hashClientSecret({ secret, peppers }),
  secretEncrypted: 'encrypted',
  ...changes,
});

const findKeys = await aKeyFinder(
  { kid: 'transport', use: 'tls', key: otherRsa.publicKey },
  { kid: 'r', use: 'sig', key: rsa.publicKey },
  { kid: 'e', use: 'sig', key: ec.publicKey },
);

const parse = (parameters: Record<string, string>, authorization?: string) =>
  parseTokenRequest({
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }).toString(),
    authorization,
  }).credentials;

interface Presented {
  parameters?: Record<string, string>;
  authorization?: string;
  options?: Partial<Parameters<typeof authenticateClient>[0]>;
}

async function authenticate(client: OAuthClient | undefined, { parameters = {}, authorization, options }: Presented) {
  return authenticateClient({
    client,
    credentials: parse(parameters, authorization),
    audience: { issuer, endpoints: [tokenEndpoint, alias] },
    profile: defaultProfile,
    peppers,
    decryptSecret: () => secret,
    findKeys,
    now,
    ...options,
  });
}

const outcome = (client: OAuthClient | undefined, presented: Presented) =>
  authenticate(client, presented).then(
    () => 'authenticated',
    (error: unknown) => (error instanceof OAuthError ? error.error : String(error)),
  );

interface AssertionChanges {
  header?: object;
  claims?: object;
  key?: KeyObject;
}

const claims = { iss: 'c1', sub: 'c1', aud: tokenEndpoint, iat: seconds, exp: seconds + 60, jti: 'j1' };

// An undefined claim is left out.
async function assertion({ header, claims: changes, key = rsa.privateKey }: AssertionChanges = {}) {
  const payload = JSON.parse(JSON.stringify({ ...claims, ...changes })) as Record<string, unknown>;
  const jwt = await new SignJWT(payload).setProtectedHeader({ alg: 'PS256', kid: 'r', ...header }).sign(key);
  return { parameters: { client_assertion_type: JWT_BEARER_ASSERTION_TYPE, client_assertion: jwt } };
}

const basicHeader = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const byBasic = (value = secret) => ({ authorization: basicHeader(`c1:${value}`) });
const byPost = (value = secret) => ({ parameters: { client_id: 'c1', client_secret: value } });
const byCertificate = (subject: string | undefined) => ({
  parameters: { client_id: 'c1' },
  options: { isCertificateSubject: subject === undefined ? undefined : (name: string) => name === subject },
});
const bySecretJwt = (changes: AssertionChanges = {}) =>
  assertion({
    key: createSecretKey(Buffer.from(secret)),
    ...changes,
    header: { alg: 'HS256', kid: undefined, ...changes.header },
  });

const isFamily = (a: string, b: string) =>
  [a, b].every((method) => method === 'client_secret_basic' || method === 'client_secret_post');

const errorOf = (presented: Presented) =>
  authenticate(aClient('client_secret_basic'), presented).catch((error: InvalidClientError) => error);

const subject = 'CN=c1,O=TPP Ltd,C=GB';

describe('client authentication by registered method (RFC 6749 s2.3, RFC 7591 s2)', () => {
  const methods: TokenEndpointAuthMethod[] = [
    'client_secret_basic',
    'client_secret_post',
    'client_secret_jwt',
    'private_key_jwt',
    'tls_client_auth',
  ];
  const presentations: [TokenEndpointAuthMethod, () => Presented | Promise<Presented>][] = [
    ['client_secret_basic', () => byBasic()],
    ['client_secret_post', () => byPost()],
    ['client_secret_jwt', () => bySecretJwt()],
    ['private_key_jwt', () => assertion()],
    ['tls_client_auth', () => byCertificate(subject)],
  ];
  const pairs = methods.flatMap((registered) =>
    presentations.map(([presented, present]) => ({ registered, presented, present })),
  );

  it.each(pairs)(
    'DCR-T105 $presented presented by a client registered for $registered',
    async ({ registered, presented, present }) => {
      const isRight = registered === presented || isFamily(registered, presented);
      expect(await outcome(aClient(registered), await present())).toBe(isRight ? 'authenticated' : 'invalid_client');
    },
  );

  it('refuses the record of another client in every way', async () => {
    for (const [method, present] of presentations) {
      expect(await outcome(aClient(method, { clientId: 'c2' }), await present())).toBe('invalid_client');
    }
  });

  it('refuses an unknown client in every way', async () => {
    for (const [, present] of presentations) expect(await outcome(undefined, await present())).toBe('invalid_client');
  });
});

describe('client_secret_basic and client_secret_post (RFC 6749 s2.3.1)', () => {
  it('refuses a wrong secret alike in either place', async () => {
    const [basic, post] = [await errorOf(byBasic('wrong')), await errorOf(byPost('wrong'))] as InvalidClientError[];
    expect(basic).toBeInstanceOf(InvalidClientError);
    expect(post).toBeInstanceOf(InvalidClientError);
    expect(basic?.description).toBe(post?.description);
  });

  it('refuses when the stored hash is damaged, even if empty or zero', async () => {
    for (const secretHash of [Buffer.alloc(0), Buffer.alloc(32), Buffer.alloc(31)]) {
      expect(await outcome(aClient('client_secret_post', { secretHash }), byPost())).toBe('invalid_client');
    }
  });
});

describe('tls_client_auth (RFC 8705 s2.1)', () => {
  it.each<[string, string | undefined, Partial<OAuthClient>, string]>([
    ['accepts the registered subject', subject, {}, 'authenticated'],
    ['refuses another subject', 'CN=C1,O=TPP Ltd,C=GB', {}, 'invalid_client'],
    ['refuses a connection without certificate', undefined, {}, 'invalid_client'],
    ['refuses a client without registered subject', subject, { tlsClientAuthSubjectDn: undefined }, 'invalid_client'],
  ])('%s', async (_, certificateSubject, changes, expected) => {
    expect(await outcome(aClient('tls_client_auth', changes), byCertificate(certificateSubject))).toBe(expected);
  });
});

describe('private_key_jwt (OIDC Core s9, RFC 7523 s3)', () => {
  const client = aClient('private_key_jwt');

  it('returns the jti and until when it has to be remembered', async () => {
    const { assertion: redemption } = await authenticate(client, await assertion());
    expect(redemption).toEqual({ jti: 'j1', expiresAt: new Date((seconds + 70) * 1000), isIssuerAudience: false });
  });

  it.each<[string, AssertionChanges]>([
    ['DCR-T109 no kid', { header: { kid: undefined } }],
    ['typ JWT', { header: { typ: 'JWT' } }],
    ['typ client-authentication+jwt (RFC 10070)', { header: { typ: 'application/Client-Authentication+JWT' } }],
    ['43 aud issuer', { claims: { aud: issuer } }],
    ['aud alias', { claims: { aud: alias } }],
    ['44 aud list with issuer and token endpoint', { claims: { aud: [issuer, tokenEndpoint] } }],
    ['exp 9 s ago', { claims: { exp: seconds - 9 } }],
    ['s48 iat and nbf 8 s ahead', { claims: { iat: seconds + 8, nbf: seconds + 8 } }],
    ['exp in 60 min', { claims: { exp: seconds + 3600 } }],
    ['no iat', { claims: { iat: undefined } }],
    ['iat and nbf 60 s ahead', { claims: { iat: seconds + 60, nbf: seconds + 60 } }],
    ['iat 60 min ago', { claims: { iat: seconds - 3600 } }],
    ['jti of 255 characters', { claims: { jti: 'x'.repeat(255) } }],
  ])('accepts %s', async (_, changes) => {
    expect(await outcome(client, await assertion(changes))).toBe('authenticated');
  });

  it.each<[string, AssertionChanges]>([
    ['36 RS256 with the right key (DCR-T114)', { header: { alg: 'RS256' } }],
    ['ES256 when PS256 is registered', { header: { alg: 'ES256', kid: 'e' }, key: ec.privateKey }],
    [
      'HS256 with the public key as secret',
      {
        header: { alg: 'HS256' },
        key: createSecretKey(Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' }))),
      },
    ],
    ['the key of somebody else', { key: otherRsa.privateKey, header: { kid: undefined } }],
    ['DCR-T119 a transport key', { key: otherRsa.privateKey, header: { kid: 'transport' } }],
    ['an unknown kid', { header: { kid: 'R' } }],
    ['typ of a request object', { header: { typ: 'oauth-authz-req+jwt' } }],
    ['the client_id of a request object (RFC 9101 s10.8)', { claims: { client_id: 'c1' } }],
    ['the response_type of a request object', { claims: { response_type: 'code' } }],
    ['the redirect_uri of a request object', { claims: { redirect_uri: 'https://tpp.example/cb' } }],
    ['typ that is no string', { header: { typ: 5 } }],
    ['41 another iss (DCR-T113)', { claims: { iss: 'c2' } }],
    ['40 no sub', { claims: { sub: undefined } }],
    ['42 another sub', { claims: { sub: 'c2' } }],
    ['no iss', { claims: { iss: undefined } }],
    ['iss as list', { claims: { iss: ['c1'] } }],
    ['no aud', { claims: { aud: undefined } }],
    ['39 another aud (DCR-T111)', { claims: { aud: 'https://other.example/token' } }],
    ['aud with a slash more', { claims: { aud: `${issuer}/` } }],
    ['an empty aud list', { claims: { aud: [] } }],
    ['aud list with a foreign value', { claims: { aud: ['https://evil.example', tokenEndpoint] } }],
    ['aud list with the issuer and a foreign value', { claims: { aud: [issuer, 'https://evil.example'] } }],
    ['aud list with a number', { claims: { aud: [issuer, 1] } }],
    ['aud as object', { claims: { aud: { [issuer]: true } } }],
    ['no exp', { claims: { exp: undefined } }],
    ['exp 10 s ago', { claims: { exp: seconds - 10 } }],
    ['38 exp 5 min ago (DCR-T112)', { claims: { exp: seconds - 300 } }],
    ['exp over 60 min ahead', { claims: { exp: seconds + 3601 } }],
    ['exp in milliseconds', { claims: { exp: seconds * 1000 } }],
    ['exp as text', { claims: { exp: `${seconds + 60}` } }],
    ['iat 61 s ahead', { claims: { iat: seconds + 61 } }],
    ['iat over 60 min ago', { claims: { iat: seconds - 3601 } }],
    ['iat as text', { claims: { iat: 'now' } }],
    ['s49 nbf 61 s ahead', { claims: { nbf: seconds + 61 } }],
    ['no jti', { claims: { jti: undefined } }],
    ['an empty jti', { claims: { jti: '' } }],
    ['jti of 256 characters', { claims: { jti: 'x'.repeat(256) } }],
    ['jti as number', { claims: { jti: 1 } }],
    ['jti with NUL', { claims: { jti: 'a\0' } }],
    ['jti with half a character', { claims: { jti: 'a\ud83d' } }],
  ])('refuses %s', async (_, changes) => {
    expect(await outcome(client, await assertion(changes))).toBe('invalid_client');
  });

  it('refuses a changed assertion and one without signature', async () => {
    const { parameters } = await assertion();
    const [header, payload, signature] = parameters.client_assertion.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, jti: 'victim' })).toString('base64url');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    for (const text of [`${header}.${forged}.${signature}`, `${header}.${payload}.`, `${none}.${payload}.`]) {
      expect(await outcome(client, { parameters: { ...parameters, client_assertion: text } })).toBe('invalid_client');
    }
  });

  it('uses ES256 for a client that registered it, and only that', async () => {
    const es256 = aClient('private_key_jwt', { tokenEndpointAuthSigningAlg: 'ES256' });
    expect(await outcome(es256, await assertion({ header: { alg: 'ES256', kid: 'e' }, key: ec.privateKey }))).toBe(
      'authenticated',
    );
    expect(await outcome(es256, await assertion())).toBe('invalid_client');
  });

  it('accepts only the issuer, alone, from a client set to that (RFC 10070)', async () => {
    const strict = aClient('private_key_jwt', { requireIssuerAudience: true });
    expect(
      (await authenticate(strict, await assertion({ claims: { aud: [issuer] } }))).assertion?.isIssuerAudience,
    ).toBe(true);
    for (const aud of [tokenEndpoint, alias, [issuer, tokenEndpoint]]) {
      expect(await outcome(strict, await assertion({ claims: { aud } }))).toBe('invalid_client');
    }
  });

  it.each(['fapi2-security', 'fapi2-message-signing'] as const)(
    's59 to s61 accepts only the issuer, as a text, from a client of %s (Security Profile s5.3.2.1-8)',
    async (fapiProfile) => {
      const fapi2 = aClient('private_key_jwt', { fapiProfile });
      expect(await outcome(fapi2, await assertion({ claims: { aud: issuer } }))).toBe('authenticated');
      for (const aud of [tokenEndpoint, alias, [issuer], [issuer, tokenEndpoint]]) {
        expect(await outcome(fapi2, await assertion({ claims: { aud } }))).toBe('invalid_client');
      }
    },
  );

  it('accepts no secret from a client of FAPI 2.0 (Security Profile s5.3.2.1-6)', async () => {
    const fapiProfile = 'fapi2-security';
    expect(await outcome(aClient('client_secret_basic', { fapiProfile }), byBasic())).toBe('invalid_client');
    expect(await outcome(aClient('client_secret_post', { fapiProfile }), byPost())).toBe('invalid_client');
    const bySecret = await bySecretJwt({ claims: { aud: issuer } });
    expect(await outcome(aClient('client_secret_jwt', { fapiProfile }), bySecret)).toBe('invalid_client');
    const tls = aClient('tls_client_auth', { fapiProfile, tlsClientAuthSubjectDn: subject });
    expect(await outcome(tls, byCertificate(subject))).toBe('authenticated');
  });

  it('accepts only the issuer, alone, from every client with CLIENT_ASSERTION_AUDIENCE=issuer', async () => {
    const options = { profile: { ...defaultProfile, clientAssertionAudience: 'issuer' as const } };
    const client = aClient('private_key_jwt');
    expect(await outcome(client, { ...(await assertion({ claims: { aud: issuer } })), options })).toBe('authenticated');
    expect(await outcome(client, { ...(await assertion()), options })).toBe('invalid_client');
  });

  it('refuses a client registered with HS256 for private_key_jwt, and lets errors of the key finder pass', async () => {
    const hs256 = aClient('private_key_jwt', { tokenEndpointAuthSigningAlg: 'HS256' });
    expect(await outcome(hs256, await assertion())).toBe('invalid_client');
    expect(await outcome(hs256, await bySecretJwt())).toBe('invalid_client');
    const options = {
      findKeys: () =>
        Promise.reject(new InvalidClientError({ reason: 'client-unknown', detail: 'key host is not permitted' })),
    };
    expect(await outcome(client, { ...(await assertion()), options })).toBe('invalid_client');
  });

  it('reports keys that are unavailable, and fetches none if the algorithm is wrong', async () => {
    const failing = { findKeys: () => Promise.reject(new Error('down')) };
    expect(await outcome(client, { ...(await assertion()), options: failing })).toBe('temporarily_unavailable');
    expect(await outcome(client, { ...(await assertion({ header: { alg: 'RS256' } })), options: failing })).toBe(
      'invalid_client',
    );
    expect(await outcome(client, { ...(await assertion()), options: { findKeys: async () => [] } })).toBe(
      'invalid_client',
    );
  });
});

describe('client_secret_jwt (OIDC Core s9)', () => {
  const client = aClient('client_secret_jwt', { tokenEndpointAuthSigningAlg: 'HS256' });

  it('accepts HS256 with the secret and returns the jti', async () => {
    expect((await authenticate(client, await bySecretJwt())).assertion?.jti).toBe('j1');
  });

  it('DCR-T115 refuses another secret, another algorithm and wrong claims', async () => {
    const otherSecret = createSecretKey(Buffer.from(randomUUID()));
    expect(await outcome(client, await bySecretJwt({ key: otherSecret }))).toBe('invalid_client');
    const long = createSecretKey(Buffer.from(secret.repeat(2)));
    expect(await outcome(client, await bySecretJwt({ key: long, header: { alg: 'HS512' } }))).toBe('invalid_client');
    expect(await outcome(client, await assertion())).toBe('invalid_client');
    expect(await outcome(client, await bySecretJwt({ claims: { exp: seconds - 60 } }))).toBe('invalid_client');
  });

  it('refuses a client without stored secret and a secret too short for an HMAC key (RFC 7518 s3.2)', async () => {
    const presented = await bySecretJwt();
    expect(await outcome({ ...client, secretEncrypted: undefined }, presented)).toBe('invalid_client');
    expect(await outcome(client, { ...presented, options: { decryptSecret: () => 'short' } })).toBe('invalid_client');
  });

  it('treats a failing decryption as our own fault', async () => {
    const options = { decryptSecret: () => Promise.reject(new Error('no such key id')) };
    expect(await outcome(client, { ...(await bySecretJwt()), options })).toBe('server_error');
  });
});
