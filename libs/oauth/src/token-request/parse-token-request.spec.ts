import { describe, expect, it } from '@jest/globals';
import { leastMilliseconds } from '../../../../test/support/least-milliseconds.js';
import { OAuthError } from '../errors/oauth-error.js';
import { JWT_BEARER_ASSERTION_TYPE } from './parse-client-credentials.js';
import { parseTokenRequest } from './parse-token-request.js';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertionOf = (claims: object) => `${encode({ alg: 'PS256' })}.${encode(claims)}.AAAA`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const cc = { grant_type: 'client_credentials', client_id: 'c1' };
const code = {
  grant_type: 'authorization_code',
  client_id: 'c1',
  code: 'abc',
  redirect_uri: 'https://tpp.example/cb?a=b',
};
const assertion = { client_assertion_type: JWT_BEARER_ASSERTION_TYPE, client_assertion: assertionOf({ sub: 'c1' }) };

const credentialsOf = (parameters: Record<string, string>, authorization?: string) =>
  parseTokenRequest({ body: form({ grant_type: 'client_credentials', ...parameters }), authorization }).credentials;

function outcome(body: unknown, authorization?: unknown): string {
  try {
    parseTokenRequest({ body: body as string, authorization: authorization as string });
    return 'accepted';
  } catch (error) {
    return error instanceof OAuthError ? error.error : String(error);
  }
}

describe('POST /oauth2/token parameters', () => {
  it('reads an authorization_code request and ignores its scope (RFC 6749 s4.1.3)', () => {
    const codeVerifier = 'v'.repeat(43);
    expect(parseTokenRequest({ body: form({ ...code, scope: 'x"y', code_verifier: codeVerifier }) })).toEqual({
      grantType: 'authorization_code',
      credentials: { mechanism: 'none', clientId: 'c1' },
      code: 'abc',
      redirectUri: 'https://tpp.example/cb?a=b',
      codeVerifier,
    });
  });

  it('reads a client_credentials request and ignores code and redirect_uri', () => {
    const body = form({ ...code, ...cc, scope: 'payments accounts payments' });
    expect(parseTokenRequest({ body })).toEqual({
      grantType: 'client_credentials',
      credentials: { mechanism: 'none', clientId: 'c1' },
      scope: ['payments', 'accounts'],
    });
  });

  it.each([form(cc), `${form(cc)}&scope=`, `${form(cc)}&scope=+`])(
    'treats an absent or empty scope as none: %s',
    (body) => {
      expect(parseTokenRequest({ body })).not.toHaveProperty('scope', expect.anything());
    },
  );

  it.each<[string, unknown, string]>([
    ['no body', undefined, 'invalid_request'],
    ['a parsed body', { grant_type: 'client_credentials' }, 'invalid_request'],
    ['a known parameter twice', `${form(cc)}&client_id=c1`, 'invalid_request'],
    ['an empty parameter twice', `${form(cc)}&scope=&scope=`, 'invalid_request'],
    ['an unknown parameter twice', `${form(cc)}&x=1&x=2`, 'invalid_request'],
    ['the same name in another encoding', `${form(cc)}&client%5Fid=c2`, 'invalid_request'],
    ['no grant_type', 'client_id=c1', 'invalid_request'],
    ['an empty grant_type', 'client_id=c1&grant_type=', 'invalid_request'],
    ['refresh_token without the token', form({ ...cc, grant_type: 'refresh_token' }), 'invalid_request'],
    ['a prototype name as grant_type', form({ ...cc, grant_type: '__proto__' }), 'unsupported_grant_type'],
    ['grant_type as array', 'client_id=c1&grant_type[]=client_credentials', 'invalid_request'],
    ['no code', form({ ...code, code: '' }), 'invalid_request'],
    ['no redirect_uri', form({ ...code, redirect_uri: '' }), 'invalid_request'],
    ['a long code', form({ ...code, code: 'x'.repeat(513) }), 'invalid_request'],
    ['a long code_verifier', form({ ...code, code_verifier: 'x'.repeat(129) }), 'invalid_request'],
    ['a NUL in the client_id', form({ ...cc, client_id: 'c\0' }), 'invalid_request'],
    ['a long client_id', form({ ...cc, client_id: 'c'.repeat(129) }), 'invalid_request'],
    ['a long scope', form({ ...cc, scope: 'x '.repeat(513) }), 'invalid_scope'],
    ['a tab in the scope', form({ ...cc, scope: 'a\tb' }), 'invalid_scope'],
    ['a quote in the scope', form({ ...cc, scope: 'a"b' }), 'invalid_scope'],
    ['a scope of 100 KB', form({ ...cc, scope: 'a '.repeat(51_200) }), 'invalid_request'],
    ['65 parameters', `${form(cc)}${Array.from({ length: 63 }, (_, i) => `&p${i}=`).join('')}`, 'invalid_request'],
    ...['%zz', '%2z', '%z2', '%2', '%'].map((value): [string, string, string] => [
      `a stray per cent sign: ${value}`,
      `${form(cc)}&a=${value}`,
      'invalid_request',
    ]),
    ['broken UTF-8', `${form(cc)}&a=%ff`, 'invalid_request'],
  ])('refuses %s', (_, body, expected) => {
    expect(outcome(body)).toBe(expected);
  });

  it('is linear in hostile input', async () => {
    const longScope = `${form(cc)}&scope=${'a+'.repeat(5_000_000)}`;
    const refuseAll = (): void => {
      expect(outcome('&'.repeat(30_000))).toBe('invalid_client');
      expect(outcome('%'.repeat(30_000))).toBe('invalid_request');
      expect(outcome(longScope)).toBe('invalid_request');
    };
    expect(await leastMilliseconds(500, refuseAll)).toBeLessThan(500);
  });
});

describe('client credentials of a token request (RFC 6749 s2.3)', () => {
  it('finds each mechanism', () => {
    expect(credentialsOf({}, basic('c1:s%3A+x:y'))).toEqual({
      mechanism: 'basic',
      clientId: 'c1',
      clientSecret: 's: x:y',
    });
    expect(credentialsOf({ client_id: 'c1' }, basic('c1:s').replace('Basic', 'bAsIc'))).toMatchObject({
      mechanism: 'basic',
    });
    expect(credentialsOf({ client_id: 'c1', client_secret: 's' })).toEqual({
      mechanism: 'post',
      clientId: 'c1',
      clientSecret: 's',
    });
    expect(credentialsOf({ client_id: 'c1' })).toEqual({ mechanism: 'none', clientId: 'c1' });
    expect(credentialsOf(assertion)).toMatchObject({ mechanism: 'assertion', clientId: 'c1', claims: { sub: 'c1' } });
    expect(credentialsOf({ ...assertion, client_id: 'c1' })).toMatchObject({ mechanism: 'assertion', clientId: 'c1' });
  });

  const grant = { grant_type: 'client_credentials' };
  it.each<[string, Record<string, string>, unknown, string]>([
    ['a secret in header and form', { client_secret: 's' }, basic('c1:s'), 'invalid_request'],
    ['a secret and an assertion', { client_id: 'c1', client_secret: 's', ...assertion }, undefined, 'invalid_request'],
    ['an assertion and a header', { ...assertion }, basic('c1:s'), 'invalid_request'],
    ['different ids in header and form', { client_id: 'c2' }, basic('c1:s'), 'invalid_request'],
    ['a secret without client_id', { client_secret: 's' }, undefined, 'invalid_request'],
    ['nothing at all', {}, undefined, 'invalid_client'],
    ['an assertion without type', { client_assertion: assertionOf({ sub: 'c1' }) }, undefined, 'invalid_request'],
    ['a type without assertion', { client_assertion_type: JWT_BEARER_ASSERTION_TYPE }, undefined, 'invalid_request'],
    ['another assertion type', { ...assertion, client_assertion_type: 'saml' }, undefined, 'invalid_request'],
    ['an assertion of another client', { ...assertion, client_id: 'c2' }, undefined, 'invalid_client'],
    [
      'an assertion without sub',
      { ...assertion, client_assertion: assertionOf({ iss: 'c1' }) },
      undefined,
      'invalid_client',
    ],
    [
      'a sub that is a list',
      { ...assertion, client_assertion: assertionOf({ sub: ['c1'] }) },
      undefined,
      'invalid_client',
    ],
    ['a sub with NUL', { ...assertion, client_assertion: assertionOf({ sub: 'c\0' }) }, undefined, 'invalid_client'],
    ['an assertion that is not a JWT', { ...assertion, client_assertion: 'a.b.c' }, undefined, 'invalid_client'],
    ['an assertion over 8 KiB', { ...assertion, client_assertion: 'a'.repeat(8193) }, undefined, 'invalid_request'],
    ['Bearer', {}, 'Bearer a b', 'invalid_client'],
    ['Basic without value', {}, 'Basic', 'invalid_client'],
    ['Basic with an empty value', {}, 'Basic ', 'invalid_client'],
    ['Basic that is not Base64', {}, 'Basic %%%', 'invalid_client'],
    ['Basic without padding', {}, basic('c1:s1').replace('=', ''), 'invalid_client'],
    ['Basic without colon', {}, basic('c1'), 'invalid_client'],
    ['Basic with an empty id', {}, basic(':s'), 'invalid_client'],
    ['Basic with an empty secret', {}, basic('c1:'), 'invalid_client'],
    ['Basic with control characters', {}, basic('c1:a\nb'), 'invalid_client'],
    ['Basic with encoded control characters', {}, basic('c1:a%00b'), 'invalid_client'],
    ['Basic with broken percent encoding', {}, basic('c1:%zz'), 'invalid_client'],
    ['10 KB of Basic', {}, basic(`c1:${'s'.repeat(10_000)}`), 'invalid_client'],
    ['an empty Authorization header', {}, '', 'invalid_client'],
    ['two Authorization headers', {}, [basic('c1:s'), basic('c1:s')], 'invalid_client'],
  ])('refuses %s', (_, parameters, authorization, expected) => {
    expect(outcome(form({ ...grant, ...parameters }), authorization)).toBe(expected);
  });
});
