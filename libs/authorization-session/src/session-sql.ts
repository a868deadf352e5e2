import {
  accessConsentOf,
  authoriseAccess,
  declineAccess,
  endOfTerms,
  isAccessOpen,
  isNotWithdrawnSince,
  isOwnDecision,
  isUndecided,
  lockedAccessConsentOf,
} from '#libs/access-consent';
import { approvalEventId, auditEventsOf, type AuditSource } from '#libs/audit';
import { consentRecords } from '#libs/events';
import { consentStep } from '#libs/obie-rules';
import { lockedRowByKey, rowByKey, secondsAfter } from '#libs/persistence';
import { stageStep } from './authorization-session-stage.js';
import { longestCheckSeconds, mostChallenges } from './session-challenge.js';
import { declineNoticeOf } from './decline-notice-queue.js';

const approval = consentStep('AwaitingAuthorisation', 'Authorised');
const refusal = consentStep('AwaitingAuthorisation', 'Rejected');
const toSecondFactor = stageStep('SignIn', 'SecondFactor');
const toConsent = stageStep('SecondFactor', 'Consent');
const toConsentAtOnce = stageStep('SignIn', 'Consent');
const toChallenge = stageStep('Consent', 'Challenge');
const toNextChallenge = stageStep('Challenge', 'Challenge');
const toEnd = stageStep('Challenge', 'Completed');

/** The `jti`, the reference, or both, of a request that gets one answer: in the row `request` and the client `issuer`. */
const claim = (issuer: string, request: string, condition: string): string => `
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'request-object', ${issuer}::text, jsonb_array_elements_text(${request} #> '{once,ids}'),
      (${request} #>> '{once,until}')::timestamptz
    ${condition} ON CONFLICT DO NOTHING RETURNING jti`;

/** Whether all of them were claimed in `claimed`. */
const isClaimed = (request: string): string =>
  `COALESCE(jsonb_array_length(${request} #> '{once,ids}'), 0) = (SELECT count(*) FROM claimed)`;

/**
 * Reads the tables of consents and of redeemed JWT ids as well, so that a request costs one round trip.
 * $1 session, $2 its hash, $3 client, $4 consent or null, $5 request, $6 now, $7 expires at, $8 hash of the request_uri
 * or null, $9 kind of consent that the scope is for, null for none. The consent must belong to the client; the answer
 * does not say who owns it. A session does not use the request up, because a link preview starts one too; a refusal is
 * the answer, and does.
 */
export const startSessionSql = `
  WITH consent AS (
    SELECT status = '${approval.from}' AND expires_at > $6::timestamptz AS is_awaiting
    FROM ${rowByKey('payment_consents', 'consent_id = $4::uuid')} AS consent
    WHERE client_id = $3::uuid AND $9::text = 'payments'
    UNION ALL
    SELECT ${isAccessOpen('consent', '$6::timestamptz')}
    FROM ${accessConsentOf('$4::uuid')} AS consent WHERE consent.client_id = $3::uuid AND consent.kind = $9::text),
  referred AS MATERIALIZED (
    SELECT $8::bytea IS NULL OR EXISTS (
      SELECT FROM pushed_authorization_requests
      WHERE request_uri_hash = $8::bytea AND client_id = $3::uuid AND expires_at > $6::timestamptz) AS value),
  unanswered AS MATERIALIZED (
    SELECT NOT EXISTS (
      SELECT FROM used_jwt_ids WHERE purpose = 'request-object' AND issuer = $3::uuid::text
        AND jti = ANY (ARRAY(SELECT jsonb_array_elements_text($5::jsonb #> '{once,ids}')))) AS value),
  permitted AS MATERIALIZED (
    SELECT $4::uuid IS NULL OR COALESCE((SELECT is_awaiting FROM consent), false) AS value),
  claimed AS (${claim(
    '$3::uuid',
    '$5::jsonb',
    'WHERE (SELECT value FROM referred) AND NOT (SELECT value FROM permitted)',
  )}),
  session AS (
    INSERT INTO authorization_sessions (authorization_session_id, session_hash, client_id, consent_id, request, stage,
      created_at, expires_at)
    SELECT $1::uuid, $2::bytea, $3::uuid, $4::uuid, $5::jsonb, 'SignIn', $6::timestamptz, $7::timestamptz
    WHERE (SELECT value FROM referred) AND (SELECT value FROM unanswered) AND (SELECT value FROM permitted)
    RETURNING authorization_session_id)
  SELECT (SELECT value FROM referred) AS referred, EXISTS (SELECT FROM consent) AS consent_found,
    ${isClaimed('$5::jsonb')} AS claimed, EXISTS (SELECT FROM session) AS started`;

const sessionColumns = `
  session.authorization_session_id, session.client_id, session.consent_id, session.request, session.stage, session.psu_id,
  session.psu_name, session.challenge, session.challenge_checked_at, session.challenge_requested_at,
  session.challenges_started, session.acr, session.authenticated_at, session.expires_at,
  session.ending, client.fapi_profile, client.response_types, client.authorization_signed_response_alg,
  client.status = 'Active' AND session.request ->> 'redirectUri' = ANY (client.redirect_uris) AS is_redirect_uri_registered`;

// The redirect URI is checked at every re-entry, not only when the request arrives (CVE-2025-4143).
const clientOfSession = rowByKey('clients', 'client_id = session.client_id');
const consentOfSession = 'consent_id = session.consent_id';

const sessionAndClient = `
  ${rowByKey('authorization_sessions', 'authorization_session_id = $1')} AS session CROSS JOIN ${clientOfSession} AS client`;

/** $1 session, $2 its hash. Finds ended and expired sessions too: they still know where to send the PSU. */
export const findSessionSql = `
  SELECT ${sessionColumns} FROM ${sessionAndClient} WHERE session.session_hash = $2`;

/** $1 sessions, $2 their hashes, $3 client, $4 hash of the request object, $5 now. The latest open one, if any. */
export const findSessionOfRequestSql = `
  SELECT ${sessionColumns} FROM unnest($1::uuid[], $2::bytea[]) AS held (session_id, session_hash)
  CROSS JOIN ${rowByKey('authorization_sessions', 'authorization_session_id = held.session_id')} AS session
  CROSS JOIN ${clientOfSession} AS client
  WHERE session.session_hash = held.session_hash AND session.client_id = $3 AND session.request ->> 'requestHash' = $4
    AND session.stage <> 'Completed' AND session.expires_at > $5
  ORDER BY session.created_at DESC LIMIT 1`;

/** As above, with the consent and, once the PSU may see it, its list of instructions. */
export const findSessionWithConsentSql = `
  SELECT ${sessionColumns}, consent.status AS consent_status, consent.expires_at AS consent_expires_at, consent.initiation,
    consent.authorisation, consent.charges, consent.local_instrument, consent.approval_hash, list.instructions,
    access.kind AS access_kind, access.status AS access_status, access.expires_at AS access_expires_at, access.terms AS access_terms,
    access.accounts AS access_accounts, access.psu_id AS access_psu_id
  FROM ${sessionAndClient}
  LEFT JOIN ${rowByKey('payment_consents', consentOfSession)} AS consent ON consent.client_id = session.client_id
  LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = consent.consent_id')} AS list
    ON session.stage IN ('${toChallenge.from}', '${toChallenge.to}')
  LEFT JOIN ${accessConsentOf('session.consent_id')} AS access ON access.client_id = session.client_id
  WHERE session.session_hash = $2`;

/**
 * The first step of a session, at sign-in. It claims the answer to the request: of several browsers with the same request
 * the first whose customer signs in has it (RFC 9126 s4, FAPI 2.0 Security Profile s5.3.2.2).
 */
const signedIn = (set: string): string => `
  WITH waiting AS MATERIALIZED (
    SELECT client_id, request
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = $1::uuid')} AS session
    WHERE session_hash = $2::bytea AND stage = '${toConsentAtOnce.from}' AND expires_at > $3::timestamptz),
  claimed AS (${claim('client_id', 'request', 'FROM waiting')})
  UPDATE authorization_sessions SET session_hash = $4::bytea, psu_id = $5::text, psu_name = $6::text, ${set}
  WHERE authorization_session_id = $1::uuid AND EXISTS (SELECT FROM waiting WHERE ${isClaimed('waiting.request')})`;

/** $1 session, $2 its hash, $3 now, $4 new hash, $5 PSU, $6 name of the PSU, $7 challenge, which has been reserved */
export const enterSecondFactorSql = signedIn(
  `stage = '${toSecondFactor.to}', challenge = $7::jsonb, challenge_requested_at = NULL`,
);

/** $1 session, $2 its hash, $3 now, $4 new hash, $5 PSU, $6 name of the PSU: the password was right, the decision will be authenticated */
export const enterConsentAtOnceSql = signedIn(`stage = '${toConsentAtOnce.to}'`);

/** $1 session, $2 its hash, $3 now, $4 new hash, $5 acr, $6 authenticated at, $7 challenge that was redeemed */
export const enterConsentSql = `
  UPDATE authorization_sessions SET stage = '${toConsent.to}', session_hash = $4, acr = $5, authenticated_at = $6, challenge = NULL,
    challenge_checked_at = NULL
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage = '${toConsent.from}' AND expires_at > $3
    AND challenge ->> 'challengeId' = $7`;

/** $1 session, $2 most. Counted before the bank is asked, whatever stage the session is in: of many at once no more than so many ask it. */
export const countSignInSql = `
  UPDATE authorization_sessions SET sign_ins = sign_ins + 1 WHERE authorization_session_id = $1 AND sign_ins < $2`;

const isUnchecked = `(challenge_checked_at IS NULL OR challenge_checked_at < $3::timestamptz - interval '${longestCheckSeconds} seconds')`;

const isUnrequested = `
  (challenge_requested_at IS NULL OR challenge_requested_at < $3::timestamptz - interval '${longestCheckSeconds} seconds')`;

/**
 * $1 session, $2 its hash, $3 now, $4 how many it had and $5 since when it was asked for when it was read. Before the bank is asked: of many clicks one asks it, and
 * of one session it is asked no oftener than it may be.
 */
export const reserveChallengeSql = `
  UPDATE authorization_sessions SET challenges_started = challenges_started + 1, challenge_requested_at = $3::timestamptz
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage <> '${toEnd.to}' AND expires_at > $3
    AND challenges_started = $4 AND challenges_started < ${mostChallenges} AND ${isUnchecked} AND ${isUnrequested}
    AND challenge_requested_at IS NOT DISTINCT FROM $5::timestamptz`;

/** $1 session, $2 its hash, $3 now, $4 challenge, $5 how many it makes, as reserved. It replaces the one before, unless that is being checked. */
export const enterChallengeSql = `
  UPDATE authorization_sessions SET stage = '${toChallenge.to}', challenge = $4, challenge_checked_at = NULL,
    challenge_requested_at = NULL
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage IN ('${toChallenge.from}', '${toNextChallenge.from}')
    AND expires_at > $3 AND challenges_started = $5 AND ${isUnchecked}`;

/** As above: another one for the sign-in. */
export const replaceSecondFactorSql = `
  UPDATE authorization_sessions SET challenge = $4, challenge_checked_at = NULL, challenge_requested_at = NULL
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage = '${toConsent.from}'
    AND expires_at > $3 AND challenges_started = $5 AND ${isUnchecked}`;

/** $1 session, $2 its hash, $3 now, $4 id of the challenge: of many calls with an answer to it one goes to the bank */
export const claimChallengeSql = `
  UPDATE authorization_sessions SET challenge_checked_at = $3::timestamptz
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage IN ('${toConsent.from}', '${toEnd.from}')
    AND expires_at > $3 AND challenge ->> 'challengeId' = $4 AND ${isUnchecked}`;

/** $1 session, $2 its hash, $3 id of the challenge: the answer was wrong, and another may come */
export const releaseChallengeSql = `
  UPDATE authorization_sessions SET challenge_checked_at = NULL
  WHERE authorization_session_id = $1 AND session_hash = $2 AND challenge ->> 'challengeId' = $3`;

/** $1 session, $2 its hash, $3 id of the challenge: the bank takes no answer to it any more */
export const endChallengeSql = `
  UPDATE authorization_sessions SET challenge_checked_at = NULL, challenge = challenge || '{"isOver": true}'
  WHERE authorization_session_id = $1 AND session_hash = $2 AND challenge ->> 'challengeId' = $3`;

/** $1 session, $2 its hash, $3 id of the challenge, $4 what the bank has verified: the decision could not be stored with it */
export const keepVerificationSql = `
  UPDATE authorization_sessions SET challenge_checked_at = NULL, challenge = challenge || jsonb_build_object('verified', $4::jsonb)
  WHERE authorization_session_id = $1 AND session_hash = $2 AND challenge ->> 'challengeId' = $3`;

/** $1 session, $2 its hash, $3 now, $4 idle seconds, $5 seconds in all. Activity extends the session. */
export const renewSessionSql = `
  UPDATE authorization_sessions SET expires_at =
    least(${secondsAfter('$3::timestamptz', '$4::integer')}, ${secondsAfter('created_at', '$5::integer')})
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage <> '${toEnd.to}' AND expires_at > $3
  RETURNING expires_at`;

/** Who decides. The statements below take these from their parameters. */
const decided: AuditSource = { actor: '$11::text', interactionId: '$10::text', at: '$3::timestamptz' };

/** What the records of a change contain about a consent, besides its former state. */
const changedConsent =
  'consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.psu_id';

/**
 * The PSU's yes: session, consent and code change together or not at all, except that a session whose consent is gone is
 * completed as well. Writes the tables of consents and codes, because the three belong to one decision. It redeems the challenge: one
 * challenge, one decision, for the account and the list of payments that it was started for and no other.
 * $1 session, $2 its hash, $3 now, $4 challenge, $5 acr, $6 authenticated at, $7 code hash, $8 expires at, $9 subject,
 * $10 interaction id or null, $11 actor, $12 to $14 profile, response types and algorithm of responses of the client by
 * whose rules the answer was made.
 * Client, redirect URI, grant, scope and these rules are checked again: they may have been withdrawn or changed while
 * the PSU was reading (CVE-2025-4143, CVE-2026-7571).
 * Access without a consent has an event of the audit trail of its own.
 * The session is locked first, and says in the end what it came to: its code does not live as long as the customer may come back.
 * @param consent CTE `waiting`, which locks the consent if it may be authorised, and `consent`, which authorises it; more may follow
 * @param details what the audit events say besides
 */
const approving = (consent: string, details = `'{}'::jsonb`) => {
  const said = `jsonb_build_object('ending', 'Approved', 'acr', $5::text, 'authenticatedAt', $6::timestamptz,
      'challengeId', $4::text, 'payees', (SELECT challenge -> 'payees' FROM session)) || ${details}`;
  return `
  WITH session AS MATERIALIZED (
    SELECT client_id, consent_id, request, psu_id, challenge, challenge_checked_at
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = $1::uuid')} AS session
    WHERE session_hash = $2::bytea AND stage = '${toEnd.from}' AND expires_at > $3::timestamptz
      AND challenge ->> 'challengeId' = $4::text),
  client AS (
    SELECT client.client_id, client.fapi_profile, client.response_types, client.authorization_signed_response_alg
    FROM session CROSS JOIN ${clientOfSession} AS client
    WHERE client.status = 'Active' AND session.request ->> 'redirectUri' = ANY (client.redirect_uris)
      AND 'authorization_code' = ANY (client.grant_types)
      AND string_to_array(client.scope, ' ') @> ARRAY(SELECT jsonb_array_elements_text(session.request -> 'scope'))),
  permitted AS (
    SELECT client_id FROM client
    WHERE (fapi_profile, response_types, authorization_signed_response_alg)
      IS NOT DISTINCT FROM ($12::text, $13::text[], $14::text)),
  ${consent},
  code AS (
    INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, nonce, acr,
      authenticated_at, consented_at, code_challenge, expires_at)
    SELECT $7::bytea, session.client_id, session.consent_id, session.request ->> 'redirectUri',
      (SELECT string_agg(word, ' ' ORDER BY position)
        FROM jsonb_array_elements_text(session.request -> 'scope') WITH ORDINALITY AS words (word, position)),
      session.psu_id, $9::text, session.request ->> 'nonce', $5::text, $6::timestamptz, $3::timestamptz,
      session.request ->> 'codeChallenge', $8::timestamptz
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    WHERE session.consent_id IS NULL OR EXISTS (SELECT FROM consent)
    RETURNING code_hash),
  ${consentRecords('consent', { ...decided, details: said, ids: approvalEventId('consent_id', '$4::text') })},
  access_audit AS (${auditEventsOf('session WHERE consent_id IS NULL AND EXISTS (SELECT FROM code)', {
    ...decided,
    action: `'access.approved'`,
    details: `jsonb_build_object('psuId', psu_id, 'scope', request -> 'scope') || jsonb_strip_nulls(${said})`,
  })}),
  ended AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}', acr = $5::text, authenticated_at = $6::timestamptz,
      ending = CASE WHEN EXISTS (SELECT FROM code) THEN 'Approved' WHEN EXISTS (SELECT FROM permitted) THEN 'ConsentChanged'
        WHEN EXISTS (SELECT FROM client) THEN 'ProfileChanged' ELSE 'NotPermitted' END
    WHERE authorization_session_id = $1::uuid AND EXISTS (SELECT FROM session))
  SELECT EXISTS (SELECT FROM session) AS completed, EXISTS (SELECT FROM client) AS client_found,
    EXISTS (SELECT FROM permitted) AS permitted, EXISTS (SELECT FROM code) AS approved`;
};

/** As above, for payments: approved is the list that the page showed. */
export const approveSql = approving(`
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id, session.challenge
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    CROSS JOIN ${lockedRowByKey('payment_consents', consentOfSession)} AS consent
    WHERE consent.client_id = session.client_id AND consent.status = '${approval.from}' AND consent.expires_at > $3::timestamptz
      AND consent.approval_hash = decode(session.challenge ->> 'approvalHash', 'hex')),
  consent AS (
    UPDATE payment_consents AS consent
    SET status = '${approval.to}', status_updated_at = $3::timestamptz, authorised_at = $3::timestamptz,
      psu_id = waiting.psu_id, challenge_id = $4::text, debtor_account = waiting.challenge -> 'debtorAccount',
      approvals_required = (waiting.challenge ->> 'approvalsRequired')::integer,
      approved_hash = consent.approval_hash
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING ${changedConsent}, '${approval.from}' AS former)`);

/**
 * As above, for access: the accounts are those of the challenge. $15 their digests for the audit event, a JSON array,
 * or null. Only the customer who has authorised it may do so again. A yes from before their withdrawal has no
 * effect, however late it is stored: neither by the bank's clock (a yes in its app is older than the page that follows
 * it) nor by ours.
 */
export const approveAccessSql = approving(
  `
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, consent.status, session.psu_id, session.challenge -> 'accounts' AS accounts,
      $4::text AS challenge_id, ${endOfTerms('consent')} AS terms_end
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    CROSS JOIN ${lockedAccessConsentOf('session.consent_id')} AS consent
    WHERE consent.client_id = session.client_id AND ${isAccessOpen('consent', '$3::timestamptz')}
      AND ${isOwnDecision('consent', 'session.psu_id')}
      AND ${isNotWithdrawnSince('consent', 'least($6::timestamptz, session.challenge_checked_at)')}
      AND jsonb_array_length(session.challenge -> 'accounts') > 0),
  consent AS (${authoriseAccess('waiting', '$3::timestamptz')})`,
  `jsonb_build_object('accounts', $15::jsonb)`,
);

/**
 * The end without a code. $1 session, $2 its hash, $3 now, $4 whether the consent is rejected with it, $5 interaction
 * id or null, $6 how it ended, $7 why the PSU declined or null, $8 actor, $9 the report to the bank, JSON or null.
 * An end that leaves the consent as it is has its own event, once somebody has signed in. A consent that has left
 * AwaitingAuthorisation meanwhile stays as it is. So does every consent as long as nobody has signed in: the address of
 * an authorization request gives a stranger no say in it. Before sign-in the end claims the answer to the request.
 */
const ending: AuditSource & { details: string } = {
  actor: '$8::text',
  interactionId: '$5::text',
  at: '$3::timestamptz',
  details: `jsonb_build_object('ending', $6::text, 'reason', $7::text, 'psuId', (SELECT psu_id FROM session))`,
};

export const endSessionSql = `
  WITH open AS MATERIALIZED (
    SELECT client_id, stage, request
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = $1::uuid')} AS session
    WHERE session_hash = $2::bytea AND stage <> '${toEnd.to}'),
  claimed AS (${claim('client_id', 'request', `FROM open WHERE stage = '${toConsentAtOnce.from}'`)}),
  session AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}', ending = $6::text
    WHERE authorization_session_id = $1::uuid
      AND EXISTS (SELECT FROM open WHERE open.stage <> '${toConsentAtOnce.from}' OR ${isClaimed('open.request')})
    RETURNING client_id, consent_id, psu_id),
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id
    FROM session CROSS JOIN ${lockedRowByKey('payment_consents', consentOfSession)} AS consent
    WHERE $4::boolean AND session.psu_id IS NOT NULL AND consent.client_id = session.client_id AND consent.status = '${refusal.from}'),
  consent AS (
    UPDATE payment_consents AS consent SET status = '${refusal.to}', status_updated_at = $3::timestamptz,
      status_reason = CASE $6::text WHEN 'Declined' THEN 'Declined' WHEN 'TooLate' THEN 'Expired' ELSE 'NotPossible' END,
      psu_id = CASE $6::text WHEN 'Declined' THEN waiting.psu_id END, decline_reason = $7::text
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING ${changedConsent}, '${refusal.from}' AS former),
  waiting_access AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id FROM session CROSS JOIN ${lockedAccessConsentOf('session.consent_id')} AS consent
    WHERE $4::boolean AND session.psu_id IS NOT NULL AND consent.client_id = session.client_id AND ${isUndecided('consent')}),
  access AS (${declineAccess('waiting_access', { now: '$3::timestamptz', ending: '$6::text', reason: '$7::text' })}),
  rejected AS (
    SELECT * FROM consent UNION ALL SELECT * FROM access),
  ${consentRecords('rejected', ending)},
  told AS (${declineNoticeOf('session WHERE psu_id IS NOT NULL', { ...ending, report: '$9' })}),
  ended_audit AS (${auditEventsOf('session WHERE psu_id IS NOT NULL AND NOT EXISTS (SELECT FROM rejected)', {
    ...ending,
    action: `'authorization.ended'`,
    details: `jsonb_build_object('consentId', consent_id) || jsonb_strip_nulls(${ending.details})`,
  })})
  SELECT EXISTS (SELECT FROM session) AS ended, EXISTS (SELECT FROM consent) AS consent_rejected`;

/** $1 before, $2 how many. SKIP LOCKED: two workers share the work instead of waiting for each other. */
export const deleteExpiredSessionsSql = `
  DELETE FROM authorization_sessions WHERE authorization_session_id = ANY (ARRAY(
    SELECT authorization_session_id FROM authorization_sessions
    WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

/** As above, for the sessions of further approvers. */
export const deleteExpiredApprovalSessionsSql = `
  DELETE FROM approval_sessions WHERE approval_session_id = ANY (ARRAY(
    SELECT approval_session_id FROM approval_sessions
    WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;

/** $1 now, $2 limit: unused references. */
export const deleteExpiredPushedRequestsSql = `
  DELETE FROM pushed_authorization_requests WHERE request_uri_hash = ANY (ARRAY(
    SELECT request_uri_hash FROM pushed_authorization_requests
    WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;
