import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { defaultProfile } from '../../../test/support/profile-settings.js';
import { aKeyFinder } from '../../../test/support/a-key-finder.js';
import { parseAuthorizationRequest } from './authorization-request/parse-authorization-request.js';
import { verifyAuthorizationRequest } from './authorization-request/verify-authorization-request.js';
import { OAuthError } from './errors/oauth-error.js';
import type { OAuthClient } from './oauth-client.js';
import { parseScope } from './scope.js';
import { parsePushedAuthorizationRequest } from './token-request/parse-pushed-authorization-request.js';
import { parseRevocationRequest } from './token-request/parse-revocation-request.js';
import { parseTokenRequest } from './token-request/parse-token-request.js';

/** Half a millisecond is usual, ten times as much on a slow machine; non-linear work takes hundreds. */
const limitMilliseconds = 5;

/** The result of a step, or its refusal by a code of the protocol. */
async function settle(step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status >= 500) throw error;
  }
}

/**
 * Milliseconds of the fastest of many runs, because other work on the machine slows some of them.
 * @param enough no further run is needed below it
 */
async function cheapest(step: () => unknown, enough = limitMilliseconds): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 300 && least >= enough; round += 1) {
    const begun = performance.now();
    await settle(step);
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

const pieces = ['a ', 'a=b&', '%20', '%', '&', '=', '+', 'a', '"', '\u0000', '%F0%9F%98%80', 'é', 'scope=', 'a+a+'];
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const fiftyKilobytes = (piece: string): string => piece.repeat(Math.ceil(50_000 / piece.length));

describe('50 kB of anything cost next to nothing (CVE-2026-4634)', () => {
  it.each(pieces)('made of %j, as a form or query and as the value of scope in one', async (piece) => {
    const text = fiftyKilobytes(piece);
    const assertion =
      'client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=a.b.c';
    const bodies = [text, `grant_type=client_credentials&client_id=c1&scope=${text}`, `${assertion}&scope=${text}`];
    for (const body of bodies) {
      for (const parse of [parseTokenRequest, parseRevocationRequest, parsePushedAuthorizationRequest]) {
        expect(await cheapest(() => parse({ body }))).toBeLessThan(limitMilliseconds);
      }
      expect(await cheapest(() => parseAuthorizationRequest(`client_id=c1&request=a.b.c&scope=${body}`))).toBeLessThan(
        limitMilliseconds,
      );
    }
    expect(await cheapest(() => parseScope(text))).toBeLessThan(limitMilliseconds);
    // The maximum length accepted.
    const most = `grant_type=client_credentials&client_id=c1&scope=${text}`.slice(0, 32_000);
    expect(await cheapest(() => parseTokenRequest({ body: most }))).toBeLessThan(limitMilliseconds);
  });

  it.each(['a ', 'openid ', '\\', '\u0001', '"'])(
    'in the signed scope of a request object, made of %j',
    async (piece) => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const findKeys = await aKeyFinder({ kid: 'k', use: 'sig', key: publicKey });
      const requestOf = (scope: string): string => {
        const input = `${encode({ alg: 'ES256', kid: 'k' })}.${encode({ ...claims, scope })}`;
        return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
      };
      const verify = (request: string) => () =>
        verifyAuthorizationRequest({
          query: { clientId: 'c1', request },
          client,
          issuer: 'https://bank.example',
          findKeys,
          isIntentOptional: true,
          signingKeys: [],
          profile: defaultProfile,
          now,
        });
      const usual = requestOf('openid accounts');
      await expect(verify(usual)()).resolves.toMatchObject({ scope: ['openid', 'accounts'] });
      // As large as fits into a request object: escaped characters take more than one.
      const size = Math.floor(47_000 / JSON.stringify(piece).slice(1, -1).length) * piece.length;
      const large = requestOf(piece.repeat(Math.ceil(size / piece.length)));
      expect(large.length).toBeLessThan(65_536);
      await expect(verify(large)()).rejects.toBeInstanceOf(OAuthError);
      const least = await cheapest(verify(usual), limitMilliseconds / 10);
      expect((await cheapest(verify(large), least + limitMilliseconds)) - least).toBeLessThan(limitMilliseconds);
    },
  );
});

const now = new Date('2026-03-01T12:00:00Z');
const seconds = now.getTime() / 1_000;
const redirectUri = 'https://tpp.example/cb';
const client: OAuthClient = {
  clientId: 'c1',
  orgId: 'org',
  softwareId: 'software',
  clientName: 'TPP',
  orgName: 'TPP Ltd',
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code'],
  responseTypes: ['code id_token'],
  scope: ['openid', 'accounts'],
  tokenEndpointAuthMethod: 'private_key_jwt',
  idTokenSignedResponseAlg: 'ES256',
  requestObjectSigningAlg: 'ES256',
  authorizationSignedResponseAlg: 'PS256',
  jwksUri: 'https://keys.example/jwks',
  secretHash: Buffer.alloc(32),
};
const claims = {
  iss: 'c1',
  aud: 'https://bank.example',
  client_id: 'c1',
  redirect_uri: redirectUri,
  response_type: 'code id_token',
  nonce: 'n',
  nbf: seconds,
  exp: seconds + 300,
};
