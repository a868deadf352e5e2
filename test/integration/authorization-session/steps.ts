import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  anApproval,
  aClient,
  aConsent,
  aSignedInSession,
  aStartedSession,
  consentOf,
  dataSource,
  file,
  later,
  now,
  request,
  sessions,
  sha256,
} from './authorization-session-world.js';

/** The way of a customer through the pages, step by step. */
export function describeSteps(): void {
  describe('starting an authorization session', () => {
    it.each(['AwaitingUpload', 'Authorised', 'Consumed', 'Rejected'])(
      'refuses a consent that is %s and leaves it so (FP-185, FP-188)',
      async (status) => {
        const clientId = await aClient();
        const consentId = await aConsent(clientId, status);
        const key = { sessionId: randomUUID(), sessionHash: sha256('a') };
        const start = { key, clientId, consentId, request, now, expiresAt: later(600) };
        expect(await sessions.startSession(start)).toBe('ConsentNotAwaitingAuthorisation');
        expect(await consentOf(consentId)).toMatchObject({ status });
        expect(await sessions.findSession(key)).toBeUndefined();
      },
    );

    it('refuses a consent that has run out, an unknown one and that of another client in the same way as unknown', async () => {
      const clientId = await aClient();
      const consentId = await aConsent(clientId);
      const start = (values: object) => ({
        key: { sessionId: randomUUID(), sessionHash: sha256('a') },
        clientId,
        consentId,
        request,
        now,
        expiresAt: later(600),
        ...values,
      });
      expect(await sessions.startSession(start({ now: later(86_401) }))).toBe('ConsentNotAwaitingAuthorisation');
      expect(await sessions.startSession(start({ consentId: randomUUID() }))).toBe('UnknownConsent');
      expect(await sessions.startSession(start({ clientId: await aClient() }))).toBe('UnknownConsent');
    });

    it('takes a request object with a jti once, also in a race', async () => {
      const clientId = await aClient();
      const attempts = Array.from({ length: 8 }, () =>
        sessions.startSession({
          key: { sessionId: randomUUID(), sessionHash: sha256('a') },
          clientId,
          request,
          now,
          expiresAt: later(600),
          requestObjectId: { jti: 'jti-1', expiresAt: later(300) },
        }),
      );
      const results = await Promise.all(attempts);
      expect(results.filter((result) => result === 'Started')).toHaveLength(1);
      expect(results.filter((result) => result === 'RequestObjectReplayed')).toHaveLength(7);
    });
  });

  describe('the steps of a session', () => {
    it('gives nothing for the value from before the sign-in', async () => {
      const { key } = await aStartedSession();
      const psu = { psuId: 'psu-1', psuName: 'Alex Green' };
      expect(await sessions.enterSecondFactor({ key, newSessionHash: sha256('new'), ...psu, now })).toBe(true);
      expect(await sessions.findSession(key)).toBeUndefined();
      expect(await sessions.findSession({ ...key, sessionHash: sha256('new') })).toMatchObject({
        stage: 'SecondFactor',
        request,
        ...psu,
      });
    });

    it('cannot be skipped, repeated or taken after the session ran out', async () => {
      const { key } = await aStartedSession();
      const step = { key, newSessionHash: sha256('x'), acr: 'acr', authenticatedAt: now, now };
      expect(await sessions.enterConsent(step)).toBe(false);
      expect(await sessions.approve({ key, ...anApproval() })).toBe('NotOpen');
      const first = { key, newSessionHash: sha256('y'), psuId: 'p', psuName: 'n' };
      expect(await sessions.enterSecondFactor({ ...first, now: later(600) })).toBe(false);
      const both = await Promise.all([1, 2].map(() => sessions.enterSecondFactor({ ...first, now })));
      expect(both.sort()).toEqual([false, true]);
    });

    it('shows the file only to a PSU who has signed in', async () => {
      const started = await aStartedSession();
      const before = await sessions.findSessionWithConsent(started.key);
      expect(before?.consent).toMatchObject({ consentId: started.consentId, status: 'AwaitingAuthorisation' });
      expect(before?.consent?.file).toBeUndefined();
      const signedIn = await aSignedInSession();
      const after = await sessions.findSessionWithConsent(signedIn.key);
      expect(after?.consent).toMatchObject({ file, fileHash: sha256(file), localInstrument: 'UK.OBIE.FPS' });
    });
  });

  describe('coming back with the same request', () => {
    it('finds the open session of this browser only, and only for the same request', async () => {
      const { key, clientId } = await aStartedSession();
      const other = await aStartedSession();
      const search = { keys: [other.key, key], clientId, requestHash: 'hash-1', now: later(1) };
      expect(await sessions.findSessionOfRequest(search)).toMatchObject({ sessionId: key.sessionId, stage: 'SignIn' });
      expect(await sessions.findSessionOfRequest({ ...search, requestHash: 'hash-2' })).toBeUndefined();
      expect(await sessions.findSessionOfRequest({ ...search, keys: [other.key] })).toBeUndefined();
      const stolen = { ...key, sessionHash: sha256('guess') };
      expect(await sessions.findSessionOfRequest({ ...search, keys: [stolen] })).toBeUndefined();
      expect(await sessions.findSessionOfRequest({ ...search, now: later(600) })).toBeUndefined();
      await sessions.endSession({ key, rejectConsent: false, now });
      expect(await sessions.findSessionOfRequest(search)).toBeUndefined();
    });

    it('learns when the redirect URI is no longer registered', async () => {
      const { key, clientId } = await aStartedSession();
      expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: true });
      await dataSource.query(`UPDATE clients SET redirect_uris = '{}' WHERE client_id = $1`, [clientId]);
      expect(await sessions.findSession(key)).toMatchObject({ isRedirectUriRegistered: false });
    });
  });
}
