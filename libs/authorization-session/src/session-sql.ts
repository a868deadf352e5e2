import { consentStep } from '#libs/obie-rules';
import { interactionIdForTriggers, lockedRowByKey, rowByKey } from '#libs/persistence';
import { stageStep } from './authorization-session-stage.js';

const approval = consentStep('AwaitingAuthorisation', 'Authorised');
const refusal = consentStep('AwaitingAuthorisation', 'Rejected');
const toSecondFactor = stageStep('SignIn', 'SecondFactor');
const toConsent = stageStep('SecondFactor', 'Consent');
const toEnd = stageStep('Consent', 'Completed');

/**
 * Reads the tables of consents and of redeemed JWT ids as well, so that a request costs one round trip.
 * $1 session, $2 its hash, $3 client, $4 consent or null, $5 request, $6 now, $7 expires at, $8 jti or null, $9 its expiry, $10 hash of the
 * request_uri or null. The consent must be the client's own; whose it is otherwise is not told. The jti counts only if everything else holds.
 * A pushed request is used up by being here, whatever comes of it (RFC 9126 s4): of two at once one finds it gone.
 */
export const startSessionSql = `
  WITH consent AS (
    SELECT status = '${approval.from}' AND expires_at > $6::timestamptz AS is_awaiting
    FROM ${rowByKey('file_payment_consents', 'consent_id = $4::uuid')} AS consent WHERE client_id = $3::uuid),
  pushed AS (
    DELETE FROM pushed_authorization_requests
    WHERE request_uri_hash = $10::bytea AND client_id = $3::uuid AND expires_at > $6::timestamptz RETURNING request_uri_hash),
  referred AS MATERIALIZED (
    SELECT $10::bytea IS NULL OR EXISTS (SELECT FROM pushed) AS value),
  permitted AS MATERIALIZED (
    SELECT (SELECT value FROM referred)
      AND ($4::uuid IS NULL OR COALESCE((SELECT is_awaiting FROM consent), false)) AS value),
  request_object AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at)
    SELECT 'request-object', $3::uuid::text, $8::text, $9::timestamptz
    WHERE $8::text IS NOT NULL AND (SELECT value FROM permitted)
    ON CONFLICT DO NOTHING RETURNING jti),
  session AS (
    INSERT INTO authorization_sessions (authorization_session_id, session_hash, client_id, consent_id, request, stage,
      created_at, expires_at)
    SELECT $1::uuid, $2::bytea, $3::uuid, $4::uuid, $5::jsonb, 'SignIn', $6::timestamptz, $7::timestamptz
    WHERE (SELECT value FROM permitted) AND ($8::text IS NULL OR EXISTS (SELECT FROM request_object))
    RETURNING authorization_session_id)
  SELECT (SELECT value FROM referred) AS referred, EXISTS (SELECT FROM consent) AS consent_found,
    (SELECT value FROM permitted) AS permitted, EXISTS (SELECT FROM session) AS started`;

const sessionColumns = `
  session.authorization_session_id, session.client_id, session.consent_id, session.request, session.stage, session.psu_id,
  session.psu_name, session.acr, session.authenticated_at, session.expires_at,
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

/** As above, with the consent and, once the PSU may see it, its file. */
export const findSessionWithConsentSql = `
  SELECT ${sessionColumns}, consent.status AS consent_status, consent.expires_at AS consent_expires_at, consent.initiation,
    consent.authorisation, consent.charges, consent.local_instrument, file.content, sha256(file.content) AS content_hash
  FROM ${sessionAndClient}
  LEFT JOIN ${rowByKey('file_payment_consents', consentOfSession)} AS consent ON consent.client_id = session.client_id
  LEFT JOIN ${rowByKey('payment_files', 'consent_id = consent.consent_id')} AS file ON session.stage = 'Consent'
  WHERE session.session_hash = $2`;

/** $1 session, $2 its hash, $3 now, $4 new hash, $5 PSU, $6 name of the PSU */
export const enterSecondFactorSql = `
  UPDATE authorization_sessions SET stage = '${toSecondFactor.to}', session_hash = $4, psu_id = $5, psu_name = $6
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage = '${toSecondFactor.from}' AND expires_at > $3`;

/** $1 session, $2 its hash, $3 now, $4 new hash, $5 acr, $6 authenticated at */
export const enterConsentSql = `
  UPDATE authorization_sessions SET stage = '${toConsent.to}', session_hash = $4, acr = $5, authenticated_at = $6
  WHERE authorization_session_id = $1 AND session_hash = $2 AND stage = '${toConsent.from}' AND expires_at > $3`;

/**
 * The PSU's yes: session, consent and code change together or not at all, except that a session whose consent is gone is
 * completed as well. Writes the tables of consents and codes, because the three belong to one decision.
 * $1 session, $2 its hash, $3 now, $4 file hash or null, $5 debtor account or null, $6 approvals required or null,
 * $7 code hash, $8 expires at, $9 subject, $10 interaction id or null.
 * Client and redirect URI are checked again: both may have been withdrawn while the PSU was reading (CVE-2025-4143).
 */
export const approveSql = `
  WITH session AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}'
    WHERE authorization_session_id = $1::uuid AND session_hash = $2::bytea AND stage = '${toEnd.from}'
      AND expires_at > $3::timestamptz
    RETURNING client_id, consent_id, request, psu_id, acr, authenticated_at),
  client AS (
    SELECT client.client_id FROM session CROSS JOIN ${clientOfSession} AS client
    WHERE client.status = 'Active' AND session.request ->> 'redirectUri' = ANY (client.redirect_uris)),
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id FROM session JOIN client ON client.client_id = session.client_id
    CROSS JOIN ${lockedRowByKey('file_payment_consents', consentOfSession)} AS consent
    CROSS JOIN ${rowByKey('payment_files', 'consent_id = consent.consent_id')} AS file
    WHERE consent.client_id = session.client_id AND consent.status = '${approval.from}' AND consent.expires_at > $3::timestamptz
      AND sha256(file.content) = $4::bytea),
  consent AS (
    UPDATE file_payment_consents AS consent
    SET status = '${approval.to}', status_updated_at = $3::timestamptz, authorised_at = $3::timestamptz,
      psu_id = waiting.psu_id, debtor_account = $5::jsonb, approvals_required = $6::integer
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING consent.consent_id),
  code AS (
    INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, nonce, acr,
      authenticated_at, consented_at, code_challenge, expires_at)
    SELECT $7::bytea, session.client_id, session.consent_id, session.request ->> 'redirectUri',
      (SELECT string_agg(word, ' ' ORDER BY position)
        FROM jsonb_array_elements_text(session.request -> 'scope') WITH ORDINALITY AS words (word, position)),
      session.psu_id, $9::text, session.request ->> 'nonce', session.acr, session.authenticated_at, $3::timestamptz,
      session.request ->> 'codeChallenge', $8::timestamptz
    FROM session JOIN client ON client.client_id = session.client_id
    WHERE session.consent_id IS NULL OR EXISTS (SELECT FROM consent)
    RETURNING code_hash)
  SELECT EXISTS (SELECT FROM session) AS completed, EXISTS (SELECT FROM client) AS client_found,
    EXISTS (SELECT FROM code) AS approved, ${interactionIdForTriggers('$10')}`;

/**
 * The end without a code. $1 session, $2 its hash, $3 now, $4 whether the consent is rejected with it, $5 interaction id or null.
 * A consent that has left AwaitingAuthorisation meanwhile stays as it is.
 */
export const endSessionSql = `
  WITH session AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}'
    WHERE authorization_session_id = $1::uuid AND session_hash = $2::bytea AND stage <> '${toEnd.to}'
    RETURNING client_id, consent_id),
  waiting AS MATERIALIZED (
    SELECT consent.consent_id FROM session CROSS JOIN ${lockedRowByKey('file_payment_consents', consentOfSession)} AS consent
    WHERE $4::boolean AND consent.client_id = session.client_id AND consent.status = '${refusal.from}'),
  consent AS (
    UPDATE file_payment_consents AS consent SET status = '${refusal.to}', status_updated_at = $3::timestamptz
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING consent.consent_id)
  SELECT EXISTS (SELECT FROM session) AS ended, EXISTS (SELECT FROM consent) AS consent_rejected,
    ${interactionIdForTriggers('$5')}`;

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

/** $1 now, $2 how many: references that nobody has used. */
export const deleteExpiredPushedRequestsSql = `
  DELETE FROM pushed_authorization_requests WHERE request_uri_hash = ANY (ARRAY(
    SELECT request_uri_hash FROM pushed_authorization_requests
    WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`;
