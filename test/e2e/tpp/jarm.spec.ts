import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, exportJWK, SignJWT } from 'jose';
import { verifyAuthorizationResponse, type ProviderMetadata } from '../../support/apps/tpp.js';

const issuer = 'https://bank.example/open-banking/v3.0';
const callback = 'https://tpp.example.com/callback';
const bank = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });
const request = { state: 'the-state', nonce: 'the-nonce', isJwtResponse: true };

/** What the bank sends back for `tpp authorise --jarm`. */
async function answer(difference: Record<string, unknown> = {}, key: KeyObject = bank.privateKey): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: 'c1',
    exp: now + 300,
    state: request.state,
    error: 'access_denied',
    ...difference,
  };
  const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(kept).setProtectedHeader({ alg: 'PS256', kid: 'bank' }).sign(key);
}

async function verify(
  parameters: Record<string, string>,
  isJwtResponse = true,
  { mark = '#', codeVerifier }: { mark?: '#' | '?'; codeVerifier?: string } = {},
): Promise<string> {
  const jwk = { ...(await exportJWK(bank.publicKey)), kid: 'bank', alg: 'PS256', use: 'sig' };
  return verifyAuthorizationResponse({
    location: `${callback}${mark}${new URLSearchParams(parameters).toString()}`,
    request: { ...request, isJwtResponse, codeVerifier } as Parameters<
      typeof verifyAuthorizationResponse
    >[0]['request'],
    provider: { issuer } as ProviderMetadata,
    keys: createLocalJWKSet({ keys: [jwk] }),
    clientId: 'c1',
    consentId: randomUUID(),
  });
}

describe('tpp authorise --jarm (JARM s2.4)', () => {
  it('reads the parameters out of the JWT', async () => {
    await expect(verify({ response: await answer() })).rejects.toThrow('access_denied');
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'c2' }],
    ['that has expired', { exp: 1 }],
    ['without an end', { exp: undefined }],
  ])('takes no JWT %s', async (_title, difference) => {
    await expect(verify({ response: await answer(difference) })).rejects.toThrow('the answer does not verify');
  });

  it('takes no JWT by another key, none at all, and no parameters beside one', async () => {
    const forged = await answer({ error: undefined, code: 'x' }, stranger.privateKey);
    await expect(verify({ response: forged })).rejects.toThrow('the answer does not verify');
    await expect(verify({ code: 'x', state: request.state })).rejects.toThrow('the answer does not verify');
    const other = { response: await answer({ error: undefined, state: 'other' }), state: request.state, code: 'x' };
    await expect(verify(other)).rejects.toThrow('the state');
  });
});

describe('tpp authorise with FAPI 2.0', () => {
  const codeAlone = { mark: '?', codeVerifier: 'v' } as const;

  it('reads the code in the query, plain or signed', async () => {
    const plain = { code: 'c', state: request.state, iss: issuer };
    await expect(verify(plain, false, codeAlone)).resolves.toBe('c');
    const response = await answer({ error: undefined, code: 'c' });
    await expect(verify({ response }, true, codeAlone)).resolves.toBe('c');
  });

  it('takes none from the fragment, of another request, or unsigned where it asked for a JWT', async () => {
    const plain = { code: 'c', state: request.state, iss: issuer };
    await expect(verify(plain, false, { ...codeAlone, mark: '#' })).rejects.toThrow('the issuer');
    await expect(verify({ ...plain, state: 'x' }, false, codeAlone)).rejects.toThrow('the state');
    await expect(verify(plain, true, codeAlone)).rejects.toThrow('does not verify');
  });

  it('says that an address is not whole', async () => {
    for (const mark of ['?', '#'] as const) {
      await expect(verify({}, false, { mark })).rejects.toThrow(
        'the address has no answer of the bank: copy all of it',
      );
    }
  });

  it('takes a code without an ID token from no other flow', async () => {
    const plain = { code: 'c', state: request.state, iss: issuer };
    await expect(verify(plain, false)).rejects.toThrow('without code or ID token');
  });
});

describe('tpp authorise with two banks (RFC 9207 s2.4)', () => {
  it.each<Record<string, string>>([{ iss: 'https://evil.example' }, {}])(
    'takes no answer and no error of %j',
    async (sent) => {
      const error = { error: 'access_denied', state: request.state };
      await expect(verify({ ...error, ...sent }, false)).rejects.toThrow('the issuer (iss)');
      await expect(verify({ ...error, iss: issuer }, false)).rejects.toThrow('access_denied');
    },
  );
});
