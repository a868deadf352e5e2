import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { parseRequestedClaims } from './authorization-request/parse-requested-claims.js';
import { parseAuthorizationRequest } from './authorization-request/parse-authorization-request.js';
import { verifyRequestObjectClaims } from './authorization-request/verify-request-object-claims.js';
import { parseResponseMode } from './authorization-request/response-mode.js';
import { parseResponseType } from './authorization-request/response-type.js';
import { createErrorResponse } from './authorization-response/create-authorization-response.js';
import { OAuthError } from './errors/oauth-error.js';
import { InvalidRequestError } from './errors/protocol-errors.js';
import { decodeFormComponent, parseFormParameters } from './form-parameters.js';
import { parseCodeChallenge, verifyCodeVerifier } from './pkce.js';
import { parseScope } from './scope.js';
import { parseBasicAuthorization } from './token-request/parse-basic-authorization.js';
import { parseIntrospectionRequest } from './token-request/parse-introspection-request.js';
import { parsePushedAuthorizationRequest } from './token-request/parse-pushed-authorization-request.js';
import { parseRevocationRequest } from './token-request/parse-revocation-request.js';
import { parseTokenRequest } from './token-request/parse-token-request.js';

/** Whatever comes in, only refusals that the protocol has a code for come out (and never a 500). */
function refusedOrRead<Value>(step: () => Value): Value | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
    // RFC 6749 s5.2: may be sent to anybody.
    expect(error.description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
    return undefined;
  }
}

const names = [
  'grant_type',
  'code',
  'redirect_uri',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
];
const more = [
  'scope',
  'code_verifier',
  'refresh_token',
  'token',
  'request',
  'request_uri',
  'state',
  'response_type',
  '__proto__',
];
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    'authorization_code',
    'client_credentials',
    'refresh_token',
    'a.b.c',
    '',
    ' ',
    '\u0000',
    '%',
    'constructor',
  ),
);
/** Forms with known names, odd ones and repeated ones. */
const forms = fc
  .array(fc.tuple(fc.oneof(fc.constantFrom(...names, ...more), fc.string({ maxLength: 8 })), values), { maxLength: 20 })
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString());
/** Text as no form encoder would write it. */
const texts = fc.oneof(
  forms,
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.stringMatching(/^[%&=+a-f0-9]{0,200}$/),
);
const headers = fc.option(
  fc.oneof(
    fc.string({ maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
    fc.array(fc.string({ maxLength: 20 }), { maxLength: 3 }),
  ),
  { nil: undefined },
);

describe('hostile input to the back-channel requests', () => {
  it.each([
    ['a token request', parseTokenRequest],
    ['a revocation request', parseRevocationRequest],
    ['a pushed authorization request', parsePushedAuthorizationRequest],
  ])(
    '%s is read or refused by a code of RFC 6749',
    (_title, parse: (request: Parameters<typeof parseTokenRequest>[0]) => unknown) => {
      fc.assert(
        fc.property(texts, headers, (body, authorization) => {
          refusedOrRead(() => parse({ body, ...(authorization !== undefined && { authorization }) }));
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it('an introspection request is read or refused', () => {
    fc.assert(
      fc.property(texts, (body) => {
        const read = refusedOrRead(() => parseIntrospectionRequest({ body }));
        // Nothing but its hash is used, so any text will do; it is never longer than what came.
        if (read !== undefined) expect(body.length).toBeGreaterThanOrEqual(Math.max(1, read.token.length));
      }),
    );
  });

  it('a parameter that occurs twice is never read (RFC 6749 s3.2)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), values, values, forms, (name, one, two, rest) => {
        const pair = new URLSearchParams([
          [name, one],
          [name, two],
        ]).toString();
        expect(() => parseTokenRequest({ body: `${pair}&${rest}` })).toThrow(InvalidRequestError);
        expect(() => parseTokenRequest({ body: `${rest}&${pair}` })).toThrow(InvalidRequestError);
      }),
    );
  });

  it('Basic credentials come out as they were put in, whatever printable characters they have (RFC 6749 s2.3.1)', () => {
    const printable = fc.stringMatching(/^[\x20-\x7e]{1,100}$/);
    fc.assert(
      fc.property(printable, printable, (clientId, clientSecret) => {
        const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
        const header = `Basic ${Buffer.from(pair).toString('base64')}`;
        expect(parseBasicAuthorization(header)).toEqual({ clientId, clientSecret });
      }),
    );
  });
});

describe('hostile input to the form encoding', () => {
  it('what an encoder wrote is read back', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, maxLength: 10 }), fc.string({ minLength: 1, maxLength: 30 }), {
          maxKeys: 20,
        }),
        (parameters) => {
          const text = new URLSearchParams(parameters).toString();
          const { values: read, repeated } = parseFormParameters(text, { maxLength: 100_000 });
          expect([...read].sort()).toEqual(Object.entries(parameters).sort());
          expect(repeated.size).toBe(0);
        },
      ),
    );
  });

  it('a component is decoded or it is undefined', () => {
    fc.assert(fc.property(fc.stringMatching(/^[%+a-fA-F0-9é]{0,40}$/), (text) => void decodeFormComponent(text)));
  });
});

describe('hostile input to the authorization request', () => {
  it('a query is read or refused, and what it says is bounded and printable', () => {
    fc.assert(
      fc.property(texts, (query) => {
        const read = refusedOrRead(() => parseAuthorizationRequest(query));
        for (const text of [read?.clientId, read?.redirectUri, read?.state, read?.responseType]) {
          if (text !== undefined) expect(text).toMatch(/^[\x20-\x7e]{1,2048}$/);
        }
        if (read?.requestUri !== undefined) {
          expect(read.requestUri).toMatch(/^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('an address of anybody else is never a reference (CVE-2020-10770)', () => {
    const uris = fc.oneof(
      fc.webUrl(),
      fc.string({ minLength: 1, maxLength: 80 }).map((end) => `urn:ietf:params:oauth:request_uri:${end}`),
    );
    fc.assert(
      fc.property(uris, (uri) => {
        const query = new URLSearchParams({ client_id: 'c1', request_uri: uri }).toString();
        const read = refusedOrRead(() => parseAuthorizationRequest(query));
        const isReference = /^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/.test(uri);
        expect(read?.requestUri).toBe(isReference ? uri : undefined);
        if (!isReference) expect(read?.fault?.error).toBe('request_uri_not_supported');
      }),
    );
  });

  it('claims of any shape are read or refused (OIDC Core s5.5)', () => {
    const claims = fc.oneof(
      fc.jsonValue(),
      fc.record({
        id_token: fc.oneof(fc.jsonValue(), fc.record({ acr: fc.jsonValue(), openbanking_intent_id: fc.jsonValue() })),
      }),
    );
    fc.assert(
      fc.property(claims, (value) => {
        const read = refusedOrRead(() => parseRequestedClaims(value));
        if (read?.intentId !== undefined) expect(typeof read.intentId).toBe('string');
        if (read?.acr !== undefined) expect(read.acr.values.length).toBeLessThanOrEqual(10);
      }),
      { numRuns: 1_000 },
    );
  });

  it('a request object passes only within its hour, for this client and this server (FAPI 1.0 Advanced s5.2.2)', () => {
    const now = new Date('2026-03-01T12:00:00Z');
    const seconds = now.getTime() / 1_000;
    const times = fc.integer({ min: -5_000, max: 5_000 });
    fc.assert(
      fc.property(times, times, (nbf, exp) => {
        const claims = { iss: 'c1', client_id: 'c1', aud: 'https://bank', nbf: seconds + nbf, exp: seconds + exp };
        const step = () =>
          verifyRequestObjectClaims({ claims, client: { clientId: 'c1' }, issuer: 'https://bank', now });
        const isInTime = exp > -10 && nbf <= 60 && exp > nbf && exp - nbf <= 3_600 && nbf >= -3_600;
        if (isInTime) expect(step).not.toThrow();
        else expect(step).toThrow(OAuthError);
      }),
      { numRuns: 1_000 },
    );
  });

  it('claims of any type are refused without a crash', () => {
    const claims = fc.dictionary(
      fc.constantFrom('iss', 'client_id', 'aud', 'nbf', 'exp', 'iat', 'sub', 'request'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(claims, (value) => {
        const client = { clientId: 'c1' };
        refusedOrRead(() =>
          verifyRequestObjectClaims({ claims: value, client, issuer: 'https://bank', now: new Date() }),
        );
      }),
    );
  });

  it('response type and mode are one of the registered ones or refused', () => {
    const client = {
      clientId: 'c1',
      responseTypes: ['code id_token' as const],
      authorizationSignedResponseAlg: 'PS256' as const,
    };
    const modes = fc.constantFrom('jwt', 'query', 'query.jwt', 'fragment', 'fragment.jwt');
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('id_token code', 'code', 'code  id_token')),
        fc.oneof(fc.jsonValue(), modes),
        (type, mode) => {
          const read = refusedOrRead(() => parseResponseType(type, client.responseTypes));
          if (read !== undefined) expect(read).toBe('code id_token');
          const place = refusedOrRead(() => parseResponseMode(mode, 'code id_token', client))?.responseMode;
          // Never the query: an ID token must not get into logs and referrers.
          if (place !== undefined) expect(place).toBe('fragment');
        },
      ),
    );
  });

  it('the address of an error leads to the registered one, whatever the state holds', async () => {
    const printable = fc.stringMatching(/^[\x20-\x7e]{1,100}$/);
    await fc.assert(
      fc.asyncProperty(
        printable,
        printable,
        fc.constantFrom('query' as const, 'fragment' as const),
        async (state, description, responseMode) => {
          const redirectUri = 'https://tpp.example/callback?dummy1=lorem';
          const error = new InvalidRequestError(description);
          const location = await createErrorResponse({
            target: { redirectUri, responseMode, state },
            issuer: 'https://bank',
            keys: [],
            now: new Date(),
            baseUrl: 'https://bank',
            error,
          });
          const url = new URL(location);
          expect(`${url.origin}${url.pathname}`).toBe('https://tpp.example/callback');
          expect(url.searchParams.get('dummy1')).toBe('lorem');
          const parameters = responseMode === 'query' ? url.searchParams : new URLSearchParams(url.hash.slice(1));
          expect(parameters.get('state')).toBe(state);
          expect(parameters.getAll('error')).toEqual(['invalid_request']);
        },
      ),
    );
  });
});

describe('hostile input to scope and PKCE', () => {
  it('the words of a scope are those that were sent, each once, in their order (RFC 6749 s3.3)', () => {
    const word = fc.stringMatching(/^[\x21\x23-\x5b\x5d-\x7e]{1,20}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        expect(parseScope(words.join(' '))).toEqual([...new Set(words)]);
      }),
    );
    fc.assert(fc.property(fc.anything(), (value) => void refusedOrRead(() => parseScope(value))));
  });

  it('a challenge is 43 characters of base64url or refused, and only its own verifier fits it (RFC 7636)', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (challenge, method) => {
        const read = refusedOrRead(() => parseCodeChallenge(challenge, method));
        if (read !== undefined) expect(read).toMatch(/^[A-Za-z0-9_-]{43}$/);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._~-]{0,130}$/), (codeVerifier) => {
        const codeChallenge = randomBytes(32).toString('base64url');
        expect(() => verifyCodeVerifier({ codeChallenge, codeVerifier })).toThrow(OAuthError);
      }),
    );
  });
});
