import { describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { PushedAuthorizationRequestService } from '#libs/customer-session';
import {
  aChallenge,
  aClient,
  anAccessConsent,
  aConsent,
  acr,
  anApproval,
  anAskedSession,
  aSignedInSession,
  aStartedSession,
  codesOf,
  consentOf,
  database,
  dataSource,
  instructions,
  later,
  now,
  redirectUri,
  request,
  sessions,
  sha256,
  useCustomerSessions,
} from './customer-session-world.js';

useCustomerSessions();

describe('approving', () => {
  it('authorises the consent, stores the code and ends the session (FP-187, FP-189)', async () => {
    const asked = await anAskedSession();
    const { key, clientId, consentId } = asked;
    const code = randomBytes(32);
    expect(await sessions.approve(anApproval(asked, code))).toBe('Approved');
    expect(await consentOf(consentId)).toMatchObject({
      status: 'Authorised',
      status_updated_at: later(60),
      authorised_at: later(60),
      psu_id: 'psu-1',
      challenge_id: asked.challengeId,
      approvals_required: 2,
      approval_hash: sha256(instructions),
      approved_hash: sha256(instructions),
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
    expect(await sessions.findSession(key)).toMatchObject({ stage: 'Completed', ending: 'Approved' });
  });

  it('gives one code for 200 simultaneous requests: one challenge, one decision', async () => {
    const asked = await anAskedSession();
    const { clientId } = asked;
    const results = await Promise.all(Array.from({ length: 200 }, () => sessions.approve(anApproval(asked))));
    expect(results.filter((result) => result === 'Approved')).toHaveLength(1);
    expect(results.filter((result) => result === 'NotOpen')).toHaveLength(199);
    expect(await codesOf(clientId)).toHaveLength(1);
  });

  it.each([
    ['has ended meanwhile', `UPDATE payment_consents SET expires_at = $2 WHERE consent_id = $1`, later(60)],
    [
      'is another client’s',
      `UPDATE authorization_sessions SET consent_id = $2 WHERE consent_id = $1`,
      async () => aConsent(await aClient()),
    ],
  ])('gives no code for a consent that %s', async (_title, change, value) => {
    const asked = await anAskedSession();
    const { clientId, consentId } = asked;
    const given = typeof value === 'function' ? await value() : value;
    await dataSource.query(change, [consentId, given]);
    expect(await sessions.approve(anApproval(asked))).toBe('ConsentChanged');
    expect(await sessions.findSession(asked.key)).toMatchObject({ stage: 'Completed', ending: 'ConsentChanged' });
    expect(await codesOf(clientId)).toEqual([]);
    for (const id of [consentId, ...(typeof given === 'string' ? [given] : [])]) {
      expect(await consentOf(id)).toMatchObject({ status: 'AwaitingAuthorisation', psu_id: null });
    }
  });

  it('gives one code to two sessions with the same consent, and ends both', async () => {
    const first = await anAskedSession();
    const second = await anAskedSession({ like: first });
    const results = await Promise.all([first, second].map((asked) => sessions.approve(anApproval(asked))));
    expect(results.sort()).toEqual(['Approved', 'ConsentChanged']);
    expect(await codesOf(first.clientId)).toHaveLength(1);
    expect(await sessions.findSession(first.key)).toMatchObject({ stage: 'Completed' });
    expect(await sessions.findSession(second.key)).toMatchObject({ stage: 'Completed' });
  });

  it.each([
    ['after the customer said yes', 20, 40, 'ConsentChanged', 'AwaitingAuthorisation'],
    ['after a yes in the app that the page asked for later', 20, 25, 'ConsentChanged', 'AwaitingAuthorisation'],
    ['after a yes, by a bank whose clock is ahead', 50, 40, 'ConsentChanged', 'AwaitingAuthorisation'],
    ['before the customer said yes', 20, 10, 'Approved', 'Authorised'],
  ] as const)('of access that was withdrawn %s', async (_case, yes, withdrawn, approval, status) => {
    const clientId = await aClient();
    const consentId = await anAccessConsent(clientId, 'account-access');
    await dataSource.query(`UPDATE access_consents SET psu_id = 'psu-1', withdrawn_at = $2 WHERE consent_id = $1`, [
      consentId,
      later(withdrawn),
    ]);
    const accounts = [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Household' }];
    const like = { clientId, consentId };
    const asked = await anAskedSession({ like, scope: ['openid', 'accounts'], challenge: aChallenge({ accounts }) });
    expect(await sessions.claimChallenge({ ...asked, now: later(30) })).toBe(true);
    const decision = { ...anApproval(asked), authenticatedAt: later(yes) };
    expect(await sessions.approveAccess(decision)).toBe(approval);
    const [row] = await dataSource.query('SELECT status FROM access_consents WHERE consent_id = $1', [consentId]);
    expect(row).toEqual({ status });
    expect(await codesOf(clientId)).toHaveLength(approval === 'Approved' ? 1 : 0);
  });

  it('of access opens no consent without an account', async () => {
    const clientId = await aClient();
    const like = { clientId, consentId: await anAccessConsent(clientId, 'account-access') };
    const states: unknown[] = [];
    for (const accounts of [[], [{ SchemeName: 'UK.OBIE.IBAN', Identification: 'GB82WEST', Name: 'Household' }]]) {
      const asked = await anAskedSession({ like, scope: ['openid', 'accounts'], challenge: aChallenge({ accounts }) });
      states.push(await sessions.approveAccess(anApproval(asked)));
      states.push(...(await dataSource.query('SELECT status FROM access_consents WHERE client_id = $1', [clientId])));
    }
    expect(states).toEqual([
      'ConsentChanged',
      { status: 'AwaitingAuthorisation' },
      'Approved',
      { status: 'Authorised' },
    ]);
  });

  it('is bound to the file that was shown', async () => {
    for (const approvalHash of [sha256('x').toString('hex'), undefined!]) {
      const asked = await anAskedSession({ challenge: aChallenge({ approvalHash }) });
      expect(await sessions.approve(anApproval(asked))).toBe('ConsentChanged');
      const waiting = { status: 'AwaitingAuthorisation', approved_hash: null };
      expect(await consentOf(asked.consentId)).toMatchObject(waiting);
      expect(await codesOf(asked.clientId)).toEqual([]);
    }
  });

  it.each([
    ['the client was suspended', `UPDATE clients SET status = 'Suspended' WHERE client_id = $1`],
    [
      'the redirect URI was withdrawn',
      `UPDATE clients SET redirect_uris = '{https://other.example}' WHERE client_id = $1`,
    ],
    [
      'the grant was given up',
      `UPDATE clients SET grant_types = '{client_credentials,refresh_token}' WHERE client_id = $1`,
    ],
    ['a scope was given up (RFC 7592 s2.2)', `UPDATE clients SET scope = 'openid accounts' WHERE client_id = $1`],
  ])('gives no code when %s meanwhile', async (_case, change) => {
    const asked = await anAskedSession();
    const { clientId, consentId } = asked;
    await dataSource.query(change, [clientId]);
    expect(await sessions.approve(anApproval(asked))).toBe('ClientChanged');
    expect(await sessions.findSession(asked.key)).toMatchObject({ stage: 'Completed', ending: 'NotPermitted' });
    expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    expect(await codesOf(clientId)).toEqual([]);
  });

  it('gives no code when the client got another profile meanwhile, and says so for good', async () => {
    const asked = await anAskedSession();
    const { clientId, consentId } = asked;
    await dataSource.query(`UPDATE clients SET fapi_profile = 'fapi2-security' WHERE client_id = $1`, [clientId]);
    expect(await sessions.approve(anApproval(asked))).toBe('ProfileChanged');
    const ended = { stage: 'Completed', ending: 'ProfileChanged', fapiProfile: 'fapi2-security' };
    expect(await sessions.findSession(asked.key)).toMatchObject(ended);
    expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    expect(await codesOf(clientId)).toEqual([]);
  });

  it.each([
    ['response types', `response_types = '{code}'`],
    ['an algorithm of responses', `authorization_signed_response_alg = 'PS256'`],
  ])('gives no code when the client registered other %s meanwhile', async (_, change) => {
    const asked = await anAskedSession();
    await dataSource.query(`UPDATE clients SET ${change} WHERE client_id = $1`, [asked.clientId]);
    expect(await sessions.approve(anApproval(asked))).toBe('ProfileChanged');
    expect(await consentOf(asked.consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
    expect(await codesOf(asked.clientId)).toEqual([]);
  });

  it('needs no consent if the scope needs none', async () => {
    const asked = await anAskedSession({ withConsent: false });
    const { clientId } = asked;
    expect(await sessions.approve(anApproval(asked))).toBe('Approved');
    expect(await codesOf(clientId)).toEqual([expect.objectContaining({ consent_id: null, psu_id: 'psu-1' })]);
  });
});

describe('the audit events of decisions', () => {
  it('name the request that made them, and no later one on the same connection', async () => {
    const [approved, declined, expired] = [await anAskedSession(), await aSignedInSession(), await aSignedInSession()];
    await sessions.approve({ ...anApproval(approved), interactionId: 'interaction-1' });
    await sessions.endSession({
      key: declined.key,
      rejectConsent: true,
      ending: 'Declined',
      now,
      interactionId: 'interaction-2',
    });
    const others = Array.from({ length: 20 }, () =>
      sessions.endSession({ ...expired, rejectConsent: true, ending: 'Declined', now }),
    );
    await Promise.all(others);
    const found = await Promise.all([approved, declined, expired].map(({ consentId }) => eventsOf(consentId)));
    expect(found).toEqual([
      [{ action: 'consent.authorised', interaction_id: 'interaction-1' }],
      [{ action: 'consent.rejected', interaction_id: 'interaction-2' }],
      [{ action: 'consent.rejected', interaction_id: null }],
    ]);
    const ofClient = 'SELECT action FROM audit_events WHERE client_id = $1';
    expect(await dataSource.query(ofClient, [approved.clientId])).toEqual([{ action: 'consent.authorised' }]);
  });

  it('contain the PSU, the ending, the authentication, and the PSU’s reason to decline', async () => {
    const payees = { names: { Match: 2, NoMatch: 1 }, known: 1, new: 2 };
    const asked = await anAskedSession({ challenge: aChallenge({ payees }) });
    await sessions.approve(anApproval(asked));
    const declined = await aSignedInSession();
    const no = { rejectConsent: true, ending: 'Declined', reason: 'SuspectedFraud' as const, now };
    await sessions.endSession({ key: declined.key, ...no });
    const locked = await aSignedInSession();
    await sessions.endSession({ key: locked.key, rejectConsent: false, ending: 'Locked', now });
    const stranger = await aStartedSession();
    await sessions.endSession({ key: stranger.key, rejectConsent: false, ending: 'Expired', now });
    const { challengeId } = asked;
    const common = { from: 'AwaitingAuthorisation', psuId: 'psu-1' };
    expect(await detailsOf(asked.consentId)).toEqual([
      { ...common, ending: 'Approved', acr, challengeId, payees, authenticatedAt: expect.any(String) },
    ]);
    expect(await detailsOf(declined.consentId)).toEqual([{ ...common, ending: 'Declined', reason: 'SuspectedFraud' }]);
    expect(await detailsOf(locked.consentId)).toEqual([{ psuId: 'psu-1', ending: 'Locked' }]);
    // Before the sign-in there is no PSU to name.
    expect(await detailsOf(stranger.consentId)).toEqual([]);
  });

  it('also cover access that needs no consent', async () => {
    const asked = await anAskedSession({ withConsent: false });
    await sessions.approve(anApproval(asked));
    const [event] = await dataSource.query(
      "SELECT details FROM audit_events WHERE client_id = $1 AND action = 'access.approved'",
      [asked.clientId],
    );
    const { challengeId } = asked;
    expect(event.details).toMatchObject({ psuId: 'psu-1', ending: 'Approved', acr, challengeId });
  });
});

describe('ending without a code', () => {
  it.each([
    ['Declined', 'Declined'],
    ['TooLate', 'Expired'],
    ['NoAccount', 'NotPossible'],
    ['SingleNotPossible', 'NotPossible'],
    ['NotStrong', 'NotPossible'],
  ])('gives the consent the reason for its rejection: %s, %s', async (ending, reason) => {
    const { key, consentId } = await aSignedInSession();
    await sessions.endSession({ key, rejectConsent: true, ending, now: later(5) });
    expect(await consentOf(consentId)).toMatchObject({
      status: 'Rejected',
      status_reason: reason,
      status_updated_at: later(5),
    });
  });

  it('never rejects the consent before anybody has signed in: a stranger may hold the address', async () => {
    const { key, consentId } = await aStartedSession();
    expect(await sessions.endSession({ key, rejectConsent: true, ending: 'Declined', now: later(5) })).toBe(true);
    expect(await consentOf(consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
  });

  it('does not change a consent that is no longer waiting, or that another PSU may still approve', async () => {
    const authorised = await aSignedInSession();
    await dataSource.query(
      `UPDATE payment_consents SET status = 'Authorised', psu_id = 'psu-1', authorised_at = now(), challenge_id = 'c',
         approved_hash = '', debtor_account = '{}' WHERE consent_id = $1`,
      [authorised.consentId],
    );
    expect(await sessions.endSession({ key: authorised.key, rejectConsent: true, ending: 'Declined', now })).toBe(true);
    expect(await consentOf(authorised.consentId)).toMatchObject({ status: 'Authorised' });
    const open = await aStartedSession();
    expect(await sessions.endSession({ key: open.key, rejectConsent: false, ending: 'Declined', now })).toBe(true);
    expect(await consentOf(open.consentId)).toMatchObject({ status: 'AwaitingAuthorisation' });
  });

  it('has either an approval or a decline, never both', async () => {
    const asked = await anAskedSession();
    const { key, clientId, consentId } = asked;
    const [approval, ended] = await Promise.all([
      sessions.approve(anApproval(asked)),
      sessions.endSession({ key, rejectConsent: true, ending: 'Declined', now: later(60) }),
    ]);
    const { status } = await consentOf(consentId);
    expect([approval === 'Approved', ended, status, (await codesOf(clientId)).length]).toEqual(
      approval === 'Approved' ? [true, false, 'Authorised', 1] : [false, true, 'Rejected', 0],
    );
  });

  it('deletes sessions an hour after they have expired', async () => {
    const { key } = await aStartedSession();
    await sessions.deleteExpired({ now: later(600 + 3599), batchSize: 1000 });
    expect(await sessions.findSession(key)).toBeDefined();
    await sessions.deleteExpired({ now: later(600 + 3601), batchSize: 1000 });
    expect(await sessions.findSession(key)).toBeUndefined();
  });
});

describe('pushed authorization requests (RFC 9126)', () => {
  it('are deleted once they have expired unused, and no sooner', async () => {
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

  it('begin a session for their own client until they expire, and stand in for no other', async () => {
    const pushedRequests = new PushedAuthorizationRequestService(database);
    const [clientId, other] = [await aClient(), await aClient()];
    const push = (of: string, expiresAt: Date) => {
      const pushed = { requestUriHash: randomBytes(32), clientId: of, request: 'a.b.c', expiresAt };
      return pushedRequests.push(pushed).then(() => pushed.requestUriHash);
    };
    const begin = (requestUriHash: Buffer) => {
      const key = { sessionId: randomUUID(), sessionHash: requestUriHash };
      return sessions.startSession({ key, clientId, requestUriHash, request, now, expiresAt: later(600) });
    };
    const own = await push(clientId, later(1));
    for (const wrong of [await push(clientId, now), await push(other, later(1)), randomBytes(32)]) {
      expect(await begin(wrong)).toBe('RequestUriExpired');
      expect(await pushedRequests.find({ requestUriHash: wrong, clientId, now })).toBeUndefined();
    }
    expect(await begin(own)).toBe('Started');
    expect(await pushedRequests.find({ requestUriHash: own, clientId, now })).toBeDefined();
  });
});

const eventsOf = (consentId: string | undefined): Promise<{ action: string; interaction_id: string | null }[]> =>
  dataSource.query("SELECT action, interaction_id FROM audit_events WHERE details ->> 'consentId' = $1", [consentId]);

/** What the audit events of a consent say besides whose they are. */
async function detailsOf(consentId: string | undefined): Promise<Record<string, unknown>[]> {
  const rows: { details: Record<string, unknown> }[] = await dataSource.query(
    "SELECT details - 'consentId' AS details FROM audit_events WHERE details ->> 'consentId' = $1",
    [consentId],
  );
  return rows.map(({ details }) => details);
}
