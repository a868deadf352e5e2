import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import {
  createRandomToken,
  hashToken,
  InvalidRequestError,
  InvalidRequestUriError,
  OAuthError,
  TemporarilyUnavailableError,
} from '#libs/oauth';
import { aKeyFinder } from '../../../../test/support/a-key-finder.js';
import { notedAnswers } from '../../../../test/support/noted-answers.js';
import { defaultProfile } from '../../../../test/support/profile-settings.js';
import { parseSessionCookies } from '../psu-session/session-cookie.js';
import { AuthorizationEndpoint } from './authorization-endpoint.service.js';

const now = new Date('2026-11-27T12:00:00Z');
const seconds = now.getTime() / 1_000;
const issuer = 'https://bank.example';
const redirectUri = 'https://app.example/cb';
const consentId = 'aaaaaaaa-0000-4000-8000-000000000001';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const findClientKeys = await aKeyFinder({ kid: 'r', use: 'sig', key: publicKey });
const client = {
  clientId: 'c1',
  clientName: 'Shop',
  orgId: 'O-1',
  orgName: 'Shop Ltd',
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code'],
  responseTypes: ['code id_token'],
  scope: ['openid', 'payments'],
  idTokenSignedResponseAlg: 'PS256',
  requestObjectSigningAlg: 'PS256',
};
const outer = {
  client_id: 'c1',
  redirect_uri: redirectUri,
  response_type: 'code id_token',
  scope: 'openid payments',
};
const intent = (value: string) => ({ claims: { id_token: { openbanking_intent_id: { value, essential: true } } } });
const claims = {
  ...outer,
  iss: 'c1',
  aud: issuer,
  state: 's',
  nonce: 'n',
  nbf: seconds,
  exp: seconds + 300,
  ...intent(consentId),
};
const aRequest = (changes: object = {}): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify({ ...claims, ...changes })))
    .setProtectedHeader({ alg: 'PS256', kid: 'r' })
    .sign(privateKey);
const unavailable = (): Promise<never> => Promise.reject(new TemporarilyUnavailableError());
const queryOf = (more: Record<string, string>): string => new URLSearchParams({ ...outer, ...more }).toString();
const pushed = { request_uri: `urn:ietf:params:oauth:request_uri:${createRandomToken()}` };
const requestUriHash = hashToken(pushed.request_uri);
const [heldId, heldValue] = ['01936a00-0000-7000-8000-000000000001', createRandomToken()];
const cookieHeader = `__Host-authorization-${heldId}=${heldValue}`;
const page = { kind: 'page', status: 200 };

/** The endpoint, where the client has pushed this request, and the browser is in this session. */
function withStored({
  request = undefined as string | undefined,
  session = undefined as object | undefined,
  isFirst = true,
  started = 'Started' as string | Error,
  isKnown = true,
  keys = findClientKeys as unknown,
} = {}) {
  const { log, answer } = notedAnswers();
  const parts: Record<string, unknown> = {
    clients: { findClient: answer('client', isKnown ? client : undefined) },
    keySets: { findClientKeys: keys },
    pushedRequests: {
      find: answer('pushed', request && { request, expiresAt: new Date('2026-11-27T12:01:00Z') }),
      useUp: answer('use up', isFirst),
    },
    sessions: { findSessionOfRequest: answer('search', session), startSession: answer('start', started) },
    psuSessions: { createCookie: (sessionId: string, value: string) => `__Host-authorization-${sessionId}=${value}` },
    pages: { createSignInPage: () => page },
    config: {
      issuer,
      authorization: { allowWithoutIntent: false, idleSeconds: 300, sessionSeconds: 3_600 },
      signing: { keys: [] },
      profile: defaultProfile,
    },
    clock: { now: () => now },
  };
  const service = new AuthorizationEndpoint(
    ...(Object.values(parts) as unknown as ConstructorParameters<typeof AuthorizationEndpoint>),
  );
  const of = (name: string): unknown => log.find(([noted]) => noted === name)?.[1];
  return {
    send: (query: string, more: object = {}) => service.answer({ query, interactionId: 'i-1', ...more }),
    of,
    names: () => log.map(([name]) => name).filter((name) => name !== 'client'),
  };
}

describe('a right request', () => {
  it('starts a session of the idle time, whose value only the browser has, and shows the sign-in', async () => {
    const { send, of, names } = withStored();
    const answer = (await send(queryOf({ request: await aRequest() }))) as never as { cookies: string[] };
    expect([answer, names()]).toEqual([expect.objectContaining(page), ['start']]);
    const [held] = parseSessionCookies(answer.cookies[0]);
    const key = { sessionId: held?.sessionId, sessionHash: hashToken(held!.value) };
    const request = expect.objectContaining({ redirectUri, state: 's', clientName: 'Shop', isLasting: false });
    const expiresAt = new Date('2026-11-27T12:05:00Z');
    expect(of('start')).toEqual({ key, clientId: 'c1', request, now, expiresAt, consentId });
    expect(of('start')).not.toHaveProperty('request.once');
  });

  it('as a form leads to the page of the sign-in, so that a reload sends nothing again', async () => {
    const answer = await withStored().send(queryOf({ request: await aRequest() }), { isForm: true });
    const location = expect.stringMatching(/^\/sign-in\?authorization=[\w-]{36}$/);
    expect(answer).toEqual({ kind: 'redirect', status: 303, location, cookies: [expect.any(String)] });
  });

  it('by HEAD starts nothing', async () => {
    const { send, names } = withStored();
    expect([await send(queryOf({ request: await aRequest() }), { isHead: true }), names()]).toEqual([page, []]);
  });

  it('with a jti, or pushed, gets one answer: the session has what identifies it', async () => {
    const request = await aRequest({ jti: 'j-1' });
    const sent = withStored();
    await sent.send(queryOf({ request }));
    expect(sent.of('start')).toMatchObject({ request: { once: { ids: ['j-1'] } } });
    const { send, of } = withStored({ request });
    await send(queryOf(pushed));
    expect(of('pushed')).toEqual({ requestUriHash, clientId: 'c1', now });
    const ids = [requestUriHash.toString('base64url'), 'j-1'];
    expect(of('start')).toMatchObject({ requestUriHash, request: { once: { ids } } });
  });

  it('goes back to its client if no session can be stored', async () => {
    const error = await withStored({ started: new Error('away') })
      .send(queryOf({ request: await aRequest() }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TemporarilyUnavailableError);
    expect(error).toMatchObject({ redirect: { redirectUri, state: 's' } });
  });
});

describe('a wrong request', () => {
  it.each([
    ['of an unknown client', { isKnown: false }, {}, InvalidRequestError],
    ['with a reference that nobody pushed', {}, pushed, InvalidRequestUriError],
  ])('%s is shown to the customer alone', async (_title, stored, query, type) => {
    const { send, names } = withStored(stored);
    const error = await send(queryOf(query)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect([(error as OAuthError).redirectable, names()]).toEqual([false, expect.not.arrayContaining(['start'])]);
  });

  it.each([
    ['for a consent that cannot exist', intent('x'), 'invalid_request_object'],
    ['with a jti that identifies nothing', { jti: '' }, 'invalid_request_object'],
  ])('%s goes back to its client, and nothing is looked for', async (_title, changes, error) => {
    const { send, names } = withStored();
    const refused = send(queryOf({ request: await aRequest(changes) }));
    await expect(refused).rejects.toMatchObject({ error, redirect: { redirectUri } });
    expect(names()).toEqual([]);
  });

  it.each([
    ['is used up by the refusal', {}, true, ['pushed', 'use up'], 'invalid_request_object'],
    ['gets no second answer', {}, false, ['pushed', 'use up'], 'invalid_request_uri'],
    ['is not used up by HEAD', { isHead: true }, true, ['pushed'], 'invalid_request_object'],
  ])('that was pushed %s (RFC 9126 s4)', async (_title, call, isFirst, steps, error) => {
    const { send, of, names } = withStored({ request: await aRequest({ ...intent('x'), jti: 'j-1' }), isFirst });
    await expect(send(queryOf(pushed), call)).rejects.toMatchObject({ error });
    expect(names()).toEqual(steps);
    if (steps.length > 1) {
      expect(of('use up')).toMatchObject({ clientId: 'c1', ids: [requestUriHash.toString('base64url')] });
    }
  });

  it('that was pushed is not used up by a failure on our side, after which the customer may try again', async () => {
    const { send, names } = withStored({ request: await aRequest(), keys: unavailable });
    const failed = send(queryOf(pushed));
    await expect(failed).rejects.toMatchObject({ error: 'temporarily_unavailable', redirectable: true });
    expect(names()).toEqual(['pushed']);
  });

  it('that was pushed is not used up by a page, which tells its client nothing', async () => {
    const { send, names } = withStored({ request: await aRequest({ redirect_uri: 'https://other.example/cb' }) });
    await expect(send(queryOf(pushed))).rejects.toMatchObject({ redirectable: false });
    expect(names()).toEqual(['pushed']);
  });
});

describe('a browser that comes back with its request', () => {
  const session = { sessionId: heldId, stage: 'SignIn', isRedirectUriRegistered: true };

  it.each([
    ['sees the sign-in', session, {}, page],
    [
      'is led to it after a form',
      session,
      { isForm: true },
      { kind: 'redirect', status: 303, location: `/sign-in?authorization=${heldId}` },
    ],
    [
      'is led to where it is',
      { ...session, stage: 'Consent' },
      {},
      { kind: 'redirect', status: 302, location: `/consent?authorization=${heldId}` },
    ],
  ])('%s, although its request may have expired', async (_title, found, call, answer) => {
    const { send, of, names } = withStored({ session: found });
    const request = await aRequest({ exp: seconds - 600 });
    expect(await send(queryOf({ request }), { cookieHeader, ...call })).toEqual(answer);
    expect(names()).toEqual(['search']);
    const keys = [{ sessionId: heldId, sessionHash: hashToken(heldValue) }];
    const requestHash = hashToken(request).toString('base64url');
    expect(of('search')).toEqual({ keys, clientId: 'c1', requestHash, now });
  });

  it('with a pushed one is found by its reference', async () => {
    const { send, of } = withStored({ session });
    expect(await send(queryOf(pushed), { cookieHeader })).toEqual(page);
    expect(of('search')).toMatchObject({ requestHash: requestUriHash.toString('base64url') });
  });

  it.each([
    ['whose client has given up the redirect URI', { ...session, isRedirectUriRegistered: false }],
    ['with another request', undefined],
  ])('%s begins anew, beside its other sessions', async (_title, found) => {
    const { send, names } = withStored({ session: found });
    const answer = await send(queryOf({ request: await aRequest() }), { cookieHeader });
    expect([answer, names()]).toEqual([
      expect.objectContaining({ cookies: [expect.any(String)] }),
      ['search', 'start'],
    ]);
  });

  it('forgets its oldest session for one more', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `01936a00-0000-7000-8000-00000000000${index}`);
    const held = ids.map((id) => `__Host-authorization-${id}=${heldValue}`).join('; ');
    const answer = await withStored().send(queryOf({ request: await aRequest() }), { cookieHeader: held });
    const forgotten = expect.stringMatching(new RegExp(`^__Host-authorization-${ids[0]}=;.* Max-Age=0;`));
    expect(answer).toMatchObject({ cookies: [forgotten, expect.any(String)] });
  });
});
