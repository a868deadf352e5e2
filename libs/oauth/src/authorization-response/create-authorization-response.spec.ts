import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, exportJWK, jwtVerify } from 'jose';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { aTestSigningKey, toTestSigningKey } from '../../../../test/support/a-signing-key.js';

import { AccessDeniedError, ServerError } from '../errors/protocol-errors.js';
import { createAuthorizationResponse, createErrorResponse } from './create-authorization-response.js';

const issuer = 'https://bank.example/open-banking/v3.0';
const now = new Date('2026-03-01T12:00:00Z');
const keys = [
  aTestSigningKey('p'),
  toTestSigningKey('e', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'ES256'),
];
const context = { issuer, keys, now };
const baseUrl = 'https://bank.example';
const errorUri = encodeURIComponent('https://bank.example/docs/errors/access_denied');
const iss = encodeURIComponent(issuer);

describe('authorization response', () => {
  it('carries code, id_token, state and iss in the fragment for the hybrid flow (OIDC Core s3.3.2.5, RFC 9207)', async () => {
    const target = {
      redirectUri: 'https://tpp.example/cb?dummy1=lorem&dummy2=ipsum',
      responseMode: 'fragment',
      state: 'a+b &=~',
    } as const;
    expect(await createAuthorizationResponse({ target, ...context, code: 'c', idToken: 'h.p.s' })).toBe(
      `https://tpp.example/cb?dummy1=lorem&dummy2=ipsum#code=c&id_token=h.p.s&state=a%2Bb%20%26%3D~&iss=${iss}`,
    );
  });

  it.each([
    ['https://tpp.example/cb', 'https://tpp.example/cb?'],
    ['https://tpp.example/cb?a=%20b', 'https://tpp.example/cb?a=%20b&'],
    ['https://tpp.example/cb?', 'https://tpp.example/cb?'],
  ])('keeps the query of %s in the code flow (RFC 6749 s3.1.2)', async (redirectUri, start) => {
    const target = { redirectUri, responseMode: 'query' } as const;
    const location = await createAuthorizationResponse({ target, ...context, code: 'c' });
    expect(location).toBe(`${start}code=c&iss=${iss}`);
  });

  it('returns no state if there was none', async () => {
    const target = { redirectUri: 'https://tpp.example/cb', responseMode: 'fragment' } as const;
    expect(await createAuthorizationResponse({ target, ...context, code: 'c' })).not.toContain('state');
  });

  it('carries errors the same way (RFC 6749 s4.1.2.1)', async () => {
    const target = { redirectUri: 'https://tpp.example/cb?a=b', responseMode: 'fragment', state: 's' } as const;
    const location = await createErrorResponse({
      target,
      ...context,
      baseUrl,
      error: new AccessDeniedError('customer said "no"'),
    });
    expect(location).toBe(
      `https://tpp.example/cb?a=b#error=access_denied&error_description=customer%20said%20%3Fno%3F&error_uri=${errorUri}&state=s&iss=${iss}`,
    );
  });
});

const readResponse = async (location: string) => {
  const [address, parameters = ''] = location.split(/#|&(?=response=)/);
  const { response = '', ...others } = Object.fromEntries(new URLSearchParams(parameters));
  const jwks = await Promise.all(
    keys.map(async (key) => ({ ...(await exportJWK(createPublicKey(key.privateKey))), kid: key.kid })),
  );
  const { payload, protectedHeader } = await jwtVerify(response, createLocalJWKSet({ keys: jwks }), {
    currentDate: now,
  });
  return { address, others, payload, protectedHeader };
};

describe('authorization response as a JWT (JARM s2)', () => {
  const signed = { clientId: 'c1', algorithm: 'PS256' } as const;
  const target = { redirectUri: 'https://tpp.example/cb?a=b', responseMode: 'fragment', state: 's', signed } as const;

  it('holds all parameters, for this client and for five minutes, and nothing stands beside it', async () => {
    const location = await createAuthorizationResponse({ target, ...context, code: 'c', idToken: 'h.p.s' });
    const { address, others, payload, protectedHeader } = await readResponse(location);
    expect([address, others]).toEqual(['https://tpp.example/cb?a=b', {}]);
    const iat = now.getTime() / 1_000;
    const addressed = { iss: issuer, aud: 'c1', iat, exp: iat + 300 };
    expect(payload).toEqual({ code: 'c', id_token: 'h.p.s', state: 's', ...addressed });
    expect(protectedHeader).toMatchObject({ alg: 'PS256', kid: 'p' });
  });

  it('goes into the query for query.jwt, signed with the algorithm that the client registered', async () => {
    const query = { ...target, responseMode: 'query', signed: { ...signed, algorithm: 'ES256' } } as const;
    const { address, payload, protectedHeader } = await readResponse(
      await createAuthorizationResponse({ target: query, ...context, code: 'c' }),
    );
    expect([address, protectedHeader.alg]).toEqual(['https://tpp.example/cb?a=b', 'ES256']);
    expect(payload).not.toHaveProperty('id_token');
  });

  it('is signed with ES256 by a bank that has no key for the default algorithm', async () => {
    const answer = createAuthorizationResponse({ target, ...context, keys: keys.slice(1), code: 'c' });
    expect((await readResponse(await answer)).protectedHeader).toMatchObject({ alg: 'ES256', kid: 'e' });
  });

  it('carries errors as well, never as plain parameters', async () => {
    const error = new AccessDeniedError('no');
    const { others, payload } = await readResponse(await createErrorResponse({ target, ...context, baseUrl, error }));
    expect(others).toEqual({});
    expect(payload).toMatchObject({ error: 'access_denied', error_description: 'no', state: 's', iss: issuer });
  });

  it('is a server error if there is no key for the algorithm', async () => {
    const answer = createErrorResponse({ target, ...context, keys: [], baseUrl, error: new AccessDeniedError('no') });
    await expect(answer).rejects.toThrow(ServerError);
  });
});
