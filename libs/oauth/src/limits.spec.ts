import { describe, expect, it } from '@jest/globals';
import { parseAuthorizationRequest } from './authorization-request/parse-authorization-request.js';
import { parseUiLocales, verifyPromptAndMaxAge } from './authorization-request/parse-request-object.js';
import { parseRequestedClaims } from './authorization-request/parse-requested-claims.js';
import { formatPushedRequest } from './authorization-request/pushed-request.js';
import { OAuthError } from './errors/oauth-error.js';
import { parseScope } from './scope.js';
import { isAcceptedType } from './syntax.js';
import { parsePushedAuthorizationRequest } from './token-request/parse-pushed-authorization-request.js';
import { parseTokenRequest } from './token-request/parse-token-request.js';

type Read = (length: number) => unknown;

const text = (length: number): string => 'x'.repeat(length);
/** A form of so many characters. */
const filled = (length: number, form = 'client_id=c1&grant_type=client_credentials'): string =>
  `${form}&x=`.padEnd(length, 'x');

const parametersOf = (count: number): string => Array.from({ length: count }, (_, index) => `&p${index}=`).join('');

/** What is wrong only with a value: the error comes back, to be redirected. */
function readQuery(query: string): void {
  const { fault } = parseAuthorizationRequest(query);
  if (fault !== undefined) throw fault;
}
const inQuery =
  (name: string): Read =>
  (length) =>
    readQuery(`client_id=c1&${name}=${text(length)}`);
const inTokenRequest =
  (name: string, rest: Record<string, string> = {}): Read =>
  (length) =>
    parseTokenRequest({
      body: new URLSearchParams({
        client_id: 'c1',
        grant_type: 'authorization_code',
        code: 'c',
        redirect_uri: 'r',
        ...rest,
        [name]: text(length),
      }).toString(),
    });
const inIdToken =
  (request: (length: number) => object): Read =>
  (length) =>
    parseRequestedClaims({ id_token: request(length) });

describe('the longest value that is read', () => {
  it.each<[string, number, Read]>([
    ['client_id', 128, inTokenRequest('client_id')],
    ['client_secret', 256, inTokenRequest('client_secret')],
    ['code', 512, inTokenRequest('code')],
    ['redirect_uri of a code', 2_048, inTokenRequest('redirect_uri')],
    ['code_verifier', 128, inTokenRequest('code_verifier')],
    ['refresh_token', 512, inTokenRequest('refresh_token', { grant_type: 'refresh_token' })],
    ['scope', 1_024, (length) => parseScope(text(length))],
    ['a token request', 32_768, (length) => parseTokenRequest({ body: filled(length) })],
    ['a pushed request', 81_920, (length) => parsePushedAuthorizationRequest({ body: filled(length) })],
    [
      'a pushed request object',
      65_536,
      (length) => parsePushedAuthorizationRequest({ body: `client_id=c1&request=${text(length)}` }),
    ],
    [
      'a pushed request that is kept',
      65_536,
      (length) => formatPushedRequest({ kind: 'object', request: text(length) }),
    ],
    ['an authorization request', 98_304, (length) => readQuery(filled(length))],
    ['a request object in the query', 65_536, inQuery('request')],
    ['redirect_uri in the query', 2_048, inQuery('redirect_uri')],
    ['response_type in the query', 128, inQuery('response_type')],
    ['state in the query', 2_048, inQuery('state')],
    ['prompt', 128, (length) => verifyPromptAndMaxAge({ prompt: text(length) })],
    ['the requested intent', 128, inIdToken((length) => ({ openbanking_intent_id: { value: text(length) } }))],
    ['the requested sub', 255, inIdToken((length) => ({ sub: { value: text(length) } }))],
    ['a requested acr', 256, inIdToken((length) => ({ acr: { value: text(length) } }))],
  ])('%s: %d characters, and not one more', (_, most, read) => {
    expect(() => read(most)).not.toThrow();
    expect(() => read(most + 1)).toThrow(OAuthError);
  });

  it.each<[string, number, (count: number) => unknown]>([
    ['parameters', 64, (count) => readQuery(`client_id=c1${parametersOf(count - 1)}`)],
    ['requested values of acr', 10, inIdToken((count) => ({ acr: { values: Array.from({ length: count }, String) } }))],
  ])('%s: %d, and not one more', (_, most, read) => {
    expect(() => read(most)).not.toThrow();
    expect(() => read(most + 1)).toThrow(OAuthError);
  });

  it('typ of a JWT: 128 characters', () => {
    const [fitting, longer] = [text(128), text(129)];
    expect(isAcceptedType(fitting, [fitting])).toBe(true);
    expect(isAcceptedType(longer, [longer])).toBe(false);
  });

  it('ui_locales: ten tags of up to 35 characters in 400, and whatever else is left out (OIDC Core s3.1.2.1)', () => {
    const longest = `en-${'abcdefgh-'.repeat(3)}abcde`;
    expect(longest).toHaveLength(35);
    expect(parseUiLocales(`${longest} ${longest}f cy englishspeaking e`)).toEqual([longest, 'cy']);
    const tags = Array.from({ length: 11 }, (_, index) => `en-x${index}`);
    expect(parseUiLocales(tags.join(' '))).toEqual(tags.slice(0, 10));
    expect(parseUiLocales('en'.padEnd(400))).toEqual(['en']);
    for (const nothing of ['en'.padEnd(401), 'e', '', ['en'], undefined])
      expect(parseUiLocales(nothing)).toBeUndefined();
  });
});
