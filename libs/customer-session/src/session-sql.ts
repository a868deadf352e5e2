import { accessConsentOf, isAccessOpen } from '#libs/access-consent';
import { consentStep } from '#libs/obie-rules';
import { lockedRowByKey, rowByKey, statement } from '#libs/persistence';
import { stageStep } from './authorization-session-stage.js';
import { isThis, newChallenge, ofSession, type SessionSteps, sqlOfSteps } from './challenge-sql.js';
import { mostChallenges, type SessionChallenge } from './session-challenge.js';
import type { ChallengeStep, SessionBeginning, SignedIn } from './session-parameters.js';

export const approval = consentStep('AwaitingAuthorisation', 'Authorised');
const toSecondFactor = stageStep('SignIn', 'SecondFactor');
const toConsent = stageStep('SecondFactor', 'Consent');
export const toConsentAtOnce = stageStep('SignIn', 'Consent');
const toChallenge = stageStep('Consent', 'Challenge');
const toNextChallenge = stageStep('Challenge', 'Challenge');
export const toEnd = stageStep('Challenge', 'Completed');

/**
 * Part of WITH: claims the one answer to a request, by its `jti`, its reference or both.
 * @param issuer SQL of its client
 * @param request SQL of the request
 */
export const claim = (issuer: string, request: string, condition: string): string => `
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'request-object', ${issuer}::text, jsonb_array_elements_text(${request} #> '{once,ids}'),
      (${request} #>> '{once,until}')::timestamptz
    ${condition} ON CONFLICT DO NOTHING RETURNING jti`;

/** SQL: whether `claimed` claimed all of them. */
export const isClaimed = (request: string): string =>
  `COALESCE(jsonb_array_length(${request} #> '{once,ids}'), 0) = (SELECT count(*) FROM claimed)`;

/**
 * Reads the tables of consents and of redeemed JWT ids as well, so that a request costs one round trip. The consent
 * must belong to the client; the answer does not say who owns it. Starting a session does not use the request up,
 * because a link preview starts one too. A refusal is an answer, and does.
 */
export const startSession = ofSession<SessionBeginning>('start-authorization-session', ['clientId'])`
  WITH consent AS (
    SELECT status = '${approval.from}' AND expires_at > :now::timestamptz AS is_awaiting
    FROM ${rowByKey('payment_consents', 'consent_id = :consentId::uuid')} AS consent
    WHERE client_id = :clientId::uuid AND :kind::text = 'payments'
    UNION ALL
    SELECT ${isAccessOpen('consent', ':now::timestamptz')}
    FROM ${accessConsentOf(':consentId::uuid')} AS consent WHERE consent.client_id = :clientId::uuid
      AND consent.kind = :kind::text),
  referred AS MATERIALIZED (
    SELECT :requestUriHash::bytea IS NULL OR EXISTS (
      SELECT FROM pushed_authorization_requests
      WHERE request_uri_hash = :requestUriHash::bytea AND client_id = :clientId::uuid
        AND expires_at > :now::timestamptz) AS value),
  unanswered AS MATERIALIZED (
    SELECT NOT EXISTS (
      SELECT FROM used_jwt_ids WHERE purpose = 'request-object' AND issuer = :clientId::uuid::text
        AND jti = ANY (ARRAY(SELECT jsonb_array_elements_text(:request::jsonb #> '{once,ids}')))) AS value),
  permitted AS MATERIALIZED (
    SELECT :consentId::uuid IS NULL OR COALESCE((SELECT is_awaiting FROM consent), false) AS value),
  claimed AS (${claim(
    ':clientId::uuid',
    ':request::jsonb',
    'WHERE (SELECT value FROM referred) AND NOT (SELECT value FROM permitted)',
  )}),
  session AS (
    INSERT INTO authorization_sessions (authorization_session_id, session_hash, client_id, consent_id, request, stage,
      created_at, expires_at)
    SELECT :sessionId::uuid, :sessionHash::bytea, :clientId::uuid, :consentId::uuid, :request::jsonb, 'SignIn',
      :now::timestamptz, :expiresAt::timestamptz
    WHERE (SELECT value FROM referred) AND (SELECT value FROM unanswered) AND (SELECT value FROM permitted)
    RETURNING authorization_session_id)
  SELECT (SELECT value FROM referred) AS referred, EXISTS (SELECT FROM consent) AS consent_found,
    ${isClaimed(':request::jsonb')} AS claimed, EXISTS (SELECT FROM session) AS started`;

const sessionColumns = `
  session.authorization_session_id AS session_id, session.client_id, session.consent_id, session.request,
  session.stage, session.psu_id, session.psu_name, session.challenge,
  session.challenge_checked_at IS NOT NULL AS is_challenge_checked, session.challenge_requested_at,
  session.challenges_started, session.acr, session.authenticated_at, session.expires_at,
  session.ending, client.fapi_profile, client.response_types, client.authorization_signed_response_alg,
  client.status = 'Active' AND session.request ->> 'redirectUri' = ANY (client.redirect_uris) AS
    is_redirect_uri_registered`;

// The redirect URI is checked at every re-entry, not only when the request arrives (CVE-2025-4143).
export const clientOfSession = rowByKey('clients', 'client_id = session.client_id');
export const consentOfSession = 'consent_id = session.consent_id';

const sessionAndClient = `
  ${rowByKey('authorization_sessions', 'authorization_session_id = :sessionId')} AS session
    CROSS JOIN ${clientOfSession} AS client`;

/** Finds ended and expired sessions too: they still know where to send the PSU. */
export const findSession = ofSession<object>(
  'find-authorization-session',
)`SELECT ${sessionColumns} FROM ${sessionAndClient} WHERE session.session_hash = :sessionHash`;

/** The latest open one, if any. */
export const findSessionOfRequest = statement<{
  sessionIds: readonly string[];
  sessionHashes: readonly Buffer[];
  clientId: string;
  requestHash: string;
  now: Date;
}>('find-authorization-session-of-request')`
  SELECT ${sessionColumns} FROM unnest(:sessionIds::uuid[], :sessionHashes::bytea[]) AS held (session_id, session_hash)
  CROSS JOIN ${rowByKey('authorization_sessions', 'authorization_session_id = held.session_id')} AS session
  CROSS JOIN ${clientOfSession} AS client
  WHERE session.session_hash = held.session_hash AND session.client_id = :clientId
    AND session.request ->> 'requestHash' = :requestHash
    AND session.stage <> 'Completed' AND session.expires_at > :now
  ORDER BY session.created_at DESC LIMIT 1`;

/** As {@link findSession}, with the consent and, once the PSU may see it, its list of instructions. */
export const findSessionWithConsent = ofSession<object>('find-authorization-session-with-consent')`
  SELECT ${sessionColumns}, consent.status AS consent_status, consent.expires_at AS consent_expires_at,
    consent.initiation,
    consent.conditions, consent.charges, consent.local_instrument, consent.approval_hash,
    list.instructions, access.kind AS access_kind, access.status AS access_status,
      access.expires_at AS access_expires_at, access.terms AS access_terms,
    access.accounts AS access_accounts, access.psu_id AS access_psu_id
  FROM ${sessionAndClient}
  LEFT JOIN ${rowByKey('payment_consents', consentOfSession)} AS consent ON consent.client_id = session.client_id
  LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = consent.consent_id')} AS list
    ON session.stage IN ('${toChallenge.from}', '${toChallenge.to}')
  LEFT JOIN ${accessConsentOf('session.consent_id')} AS access ON access.client_id = session.client_id
  WHERE session.session_hash = :sessionHash`;

/**
 * The first step of a session, at sign-in. It claims the answer to the request: of several browsers with the same
 * request, the first whose customer signs in gets it (RFC 9126 s4, FAPI 2.0 Security Profile s5.3.2.2).
 */
const signedIn = (set: string): string => `
  WITH waiting AS MATERIALIZED (
    SELECT client_id, request
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = :sessionId::uuid')} AS session
    WHERE session_hash = :sessionHash::bytea AND stage = '${toConsentAtOnce.from}' AND expires_at > :now::timestamptz),
  claimed AS (${claim('client_id', 'request', 'FROM waiting')})
  UPDATE authorization_sessions SET session_hash = :newSessionHash::bytea, psu_id = :psuId::text,
    psu_name = :psuName::text, ${set}
  WHERE authorization_session_id = :sessionId::uuid AND EXISTS (SELECT 1 FROM waiting
    WHERE ${isClaimed('waiting.request')})`;

/** The challenge has been reserved. */
export const enterSecondFactor = ofSession<SignedIn & { challenge: SessionChallenge }>(
  'enter-second-factor',
)`${signedIn(`stage = '${toSecondFactor.to}', challenge = :challenge::jsonb, challenge_requested_at = NULL`)}`;

/** The password was right. The PSU authenticates the decision later. */
export const enterConsentAtOnce = ofSession<SignedIn>(
  'enter-consent-at-once',
)`${signedIn(`stage = '${toConsentAtOnce.to}'`)}`;

/** Counts before the bank is asked, in any stage, so that simultaneous passwords cannot exceed the limit. */
export const countSignIn = statement<{ sessionId: string; most: number }>('count-sign-in')`
  UPDATE authorization_sessions SET sign_ins = sign_ins + 1 WHERE authorization_session_id = :sessionId
    AND sign_ins < :most`;

const isOpen = `stage <> '${toEnd.to}' AND expires_at > :now`;

const sqlOf = sqlOfSteps({
  table: 'authorization_sessions',
  id: 'authorization_session_id',
  isOpen,
  // Limits how often the bank is asked for one session.
  mayAsk: `${isOpen} AND challenges_started < ${mostChallenges}`,
  mayEnter: `stage IN ('${toChallenge.from}', '${toNextChallenge.from}') AND expires_at > :now`,
  mayAnswer: `stage IN ('${toConsent.from}', '${toEnd.from}') AND expires_at > :now`,
  isSigningIn: `stage = '${toConsent.from}' AND expires_at > :now`,
  asked: `stage = '${toChallenge.to}',`,
  signedIn: `stage = '${toConsent.to}',`,
});

export const steps: SessionSteps = {
  reserve: ofSession('reserve-challenge')`${sqlOf.reserve}`,
  giveBack: ofSession('give-challenge-back')`${sqlOf.giveBack}`,
  enter: ofSession('enter-challenge')`${sqlOf.enter}`,
  claim: ofSession('claim-challenge')`${sqlOf.claim}`,
  release: ofSession('release-challenge')`${sqlOf.release}`,
  keep: ofSession('keep-verification')`${sqlOf.keep}`,
  completeSignIn: ofSession('complete-sign-in')`${sqlOf.completeSignIn}`,
  renew: ofSession('renew-session')`${sqlOf.renew}`,
};

const change = 'UPDATE authorization_sessions SET';
const itself = 'WHERE authorization_session_id = :sessionId AND session_hash = :sessionHash';

/** Another challenge for the sign-in. */
export const replaceSecondFactor = ofSession<ChallengeStep>('replace-second-factor')`
  ${change} ${newChallenge.set} ${itself} AND stage = '${toConsent.from}' AND expires_at > :now
    AND ${newChallenge.where}`;

/** The bank accepts no answer to it any more. */
export const endChallenge = ofSession<{ challengeId: string }>('end-challenge')`
  ${change} challenge_checked_at = NULL, challenge = challenge || '{"isOver": true}' ${itself} AND ${isThis}`;

/** Deletes a batch of expired rows. SKIP LOCKED: two workers share the work instead of waiting for each other. */
const deleteExpired = (name: string, table: string, key: string) => statement<{ before: Date; limit: number }>(name)`
  DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
    SELECT ${key} FROM ${table} WHERE expires_at < :before ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED))`;

export const deleteExpiredSessions = deleteExpired(
  'delete-expired-sessions',
  'authorization_sessions',
  'authorization_session_id',
);
export const deleteExpiredApprovalSessions = deleteExpired(
  'delete-expired-approval-sessions',
  'approval_sessions',
  'approval_session_id',
);
/** Unused references. */
export const deleteExpiredPushedRequests = deleteExpired(
  'delete-expired-pushed-requests',
  'pushed_authorization_requests',
  'request_uri_hash',
);
