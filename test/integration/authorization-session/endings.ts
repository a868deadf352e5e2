import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { PushedAuthorizationRequestService } from '#libs/authorization-session';
import {
  aClient,
  anApproval,
  aSignedInSession,
  aStartedSession,
  codesOf,
  consentOf,
  database,
  dataSource,
  later,
  now,
  redirectUri,
  sessions,
  sha256,
} from './authorization-session-world.js';

/** How a session ends: approved, rejected, or out of time. */
export function describeEndings(): void {
  describe('approving', () => {
    it('authorises the consent, stores the code and ends the session (FP-187, FP-189)', async () => {
      const { key, clientId, consentId } = await aSignedInSession();
      const code = randomBytes(32);
      expect(await sessions.approve({ key, ...anApproval(code) })).toBe('Approved');
      expect(await consentOf(consentId)).toMatchObject({
        status: 'Authorised',
        status_updated_at: later(60),
        authorised_at: later(60),
        psu_id: 'psu-1',
        approvals_required: 2,
        debtor_account: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Business' },
        initiation: '{"FileType":"x"}',
      });
      expect(await codesOf(clientId)).toEqual([
        expect.objectContaining({
          code_hash: sha256(code),
          consent_id: consentId,
          redirect_uri: redirectUri,
          scope: 'openid payments',
          psu_id: 'psu-1',
          subject: 'pairwise-subject',
          nonce: 'nonce-1',
          acr: 'urn:openbanking:psd2:sca',
          authenticated_at: later(20),
          consented_at: later(60),
          code_challenge: null,
          redeemed_at: null,
        }),
      ]);
      expect(await sessions.findSession(key)).toMatchObject({ stage: 'Completed' });
    });

    it('gives one code for many simultaneous clicks', async () => {
      const { key, clientId } = await aSignedInSession();
      const results = await Promise.all(Array.from({ length: 10 }, () => sessions.approve({ key, ...anApproval() })));
      expect(results.filter((result) => result === 'Approved')).toHaveLength(1);
      expect(results.filter((result) => result === 'NotOpen')).toHaveLength(9);
      expect(await codesOf(clientId)).toHaveLength(1);
    });

    it('gives one code to two sessions with the same consent, and ends both', async () => {
      const first = await aSignedInSession();
      const second = await aSignedInSession({ like: first });
      const results = await Promise.all([first, second].map(({ key }) => sessions.approve({ key, ...anApproval() })));
      expect(results.sort()).toEqual(['Approved', 'ConsentChanged']);
      expect(await codesOf(first.clientId)).toHaveLength(1);
      expect(await sessions.findSession(first.key)).toMatchObject({ stage: 'Completed' });
      expect(await sessions.findSession(second.key)).toMatchObject({ stage: 'Completed' });
    });

    it('is bound to the file that was shown', async () => {
      const { key, clientId, consentId } = await aSignedInSession();
      const approval = anApproval();
      const payment = { ...approval.payment, fileHash: sha256('another file') };
      expect(await sessions.approve({ key, ...approval, payment })).toBe('ConsentChanged');
      expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
      expect(await codesOf(clientId)).toEqual([]);
    });

    it.each([
      ['the client was suspended', `UPDATE clients SET status = 'Suspended' WHERE client_id = $1`],
      [
        'the redirect URI was withdrawn',
        `UPDATE clients SET redirect_uris = '{https://other.example}' WHERE client_id = $1`,
      ],
    ])('gives no code when %s meanwhile', async (_case, change) => {
      const { key, clientId, consentId } = await aSignedInSession();
      await dataSource.query(change, [clientId]);
      expect(await sessions.approve({ key, ...anApproval() })).toBe('ClientChanged');
      expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
      expect(await codesOf(clientId)).toEqual([]);
    });

    it('needs no consent where the scope needs none', async () => {
      const { key, clientId } = await aSignedInSession({ withConsent: false });
      const { code, now: at } = anApproval();
      expect(await sessions.approve({ key, code, now: at })).toBe('Approved');
      expect(await codesOf(clientId)).toEqual([expect.objectContaining({ consent_id: null, psu_id: 'psu-1' })]);
    });

    it('does nothing once the session ran out', async () => {
      const { key, clientId } = await aSignedInSession();
      expect(await sessions.approve({ key, ...anApproval(), now: later(600) })).toBe('NotOpen');
      expect(await codesOf(clientId)).toEqual([]);
    });
  });

  describe('the audit events of decisions', () => {
    it('name the request that made them, and no later one on the same connection', async () => {
      const [approved, declined, expired] = [
        await aSignedInSession(),
        await aStartedSession(),
        await aStartedSession(),
      ];
      await sessions.approve({ key: approved.key, ...anApproval(), interactionId: 'interaction-1' });
      await sessions.endSession({ key: declined.key, rejectConsent: true, now, interactionId: 'interaction-2' });
      const others = Array.from({ length: 20 }, () => sessions.endSession({ ...expired, rejectConsent: true, now }));
      await Promise.all(others);
      const found = await Promise.all([approved, declined, expired].map(({ consentId }) => eventsOf(consentId)));
      expect(found).toEqual([
        [{ action: 'consent.authorised', interaction_id: 'interaction-1' }],
        [{ action: 'consent.rejected', interaction_id: 'interaction-2' }],
        [{ action: 'consent.rejected', interaction_id: null }],
      ]);
    });
  });

  describe('ending without a code', () => {
    it('rejects the consent when the PSU declines, once (FP-186)', async () => {
      const { key, consentId } = await aStartedSession();
      expect(await sessions.endSession({ key, rejectConsent: true, now: later(5) })).toBe(true);
      expect(await consentOf(consentId)).toMatchObject({ status: 'Rejected', status_updated_at: later(5) });
      expect(await sessions.endSession({ key, rejectConsent: true, now: later(6) })).toBe(false);
    });

    it('leaves a consent alone that is no longer waiting, or that another PSU may still approve', async () => {
      const authorised = await aSignedInSession();
      await dataSource.query(`UPDATE file_payment_consents SET status = 'Authorised' WHERE consent_id = $1`, [
        authorised.consentId,
      ]);
      expect(await sessions.endSession({ key: authorised.key, rejectConsent: true, now })).toBe(true);
      expect(await consentOf(authorised.consentId)).toMatchObject({ status: 'Authorised' });
      const open = await aStartedSession();
      expect(await sessions.endSession({ key: open.key, rejectConsent: false, now })).toBe(true);
      expect(await consentOf(open.consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    });

    it('has either a yes or a no, never both', async () => {
      const { key, clientId, consentId } = await aSignedInSession();
      const [approval, ended] = await Promise.all([
        sessions.approve({ key, ...anApproval() }),
        sessions.endSession({ key, rejectConsent: true, now: later(60) }),
      ]);
      const { status } = await consentOf(consentId);
      expect([approval === 'Approved', ended, status, (await codesOf(clientId)).length]).toEqual(
        approval === 'Approved' ? [true, false, 'Authorised', 1] : [false, true, 'Rejected', 0],
      );
    });

    it('deletes sessions an hour after they ran out', async () => {
      const { key } = await aStartedSession();
      await sessions.deleteExpired({ now: later(600 + 3599), batchSize: 1000 });
      expect(await sessions.findSession(key)).toBeDefined();
      await sessions.deleteExpired({ now: later(600 + 3601), batchSize: 1000 });
      expect(await sessions.findSession(key)).toBeUndefined();
    });
  });

  describe('pushed authorization requests (RFC 9126)', () => {
    it('are deleted once nobody has brought them in time, and no sooner', async () => {
      const pushedRequests = new PushedAuthorizationRequestService(database);
      const clientId = await aClient();
      const push = { requestUriHash: randomBytes(32), clientId, request: 'a.b.c', expiresAt: later(60) };
      expect(await pushedRequests.push(push)).toBe('Pushed');
      const count = async (): Promise<number> => {
        const sql = 'SELECT FROM pushed_authorization_requests WHERE request_uri_hash = $1';
        return (await database.query('count-pushed', sql, [push.requestUriHash])).rowCount ?? 0;
      };
      await sessions.deleteExpired({ now: later(60), batchSize: 1000 });
      expect(await count()).toBe(1);
      await sessions.deleteExpired({ now: later(61), batchSize: 1000 });
      expect(await count()).toBe(0);
    });
  });
}

const eventsOf = (consentId: string | undefined): Promise<{ action: string; interaction_id: string | null }[]> =>
  dataSource.query("SELECT action, interaction_id FROM audit_events WHERE details ->> 'consentId' = $1", [consentId]);
