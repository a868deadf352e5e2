import {
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
import { lockedRowByKey } from '#libs/persistence';
import { ofSession } from './challenge-sql.js';
import { declineNoticeOf } from './decline-notice-queue.js';
import type { ApprovalValues, SessionEnd } from './session-parameters.js';
import {
  approval,
  claim,
  clientOfSession,
  consentOfSession,
  isClaimed,
  toConsentAtOnce,
  toEnd,
} from './session-sql.js';

const refusal = consentStep('AwaitingAuthorisation', 'Rejected');

/** Who decides. */
const decided: AuditSource = { actor: ':actor::text', interactionId: ':interactionId::text', at: ':now::timestamptz' };

/** What the records of a change contain about a consent, besides its former state. */
const changedConsent =
  'consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.psu_id';

/**
 * The PSU's yes. Session, consent and code change together or not at all, except that a session whose consent is gone
 * is completed alone. The statement writes the tables of consents and codes, because the three belong to one decision.
 * It redeems the challenge: one challenge allows one decision, for the account and the list of payments that it was
 * started for. It checks again what may have been withdrawn or changed while the PSU was reading: client, redirect URI,
 * grant and scope, and the profile, response types and algorithm of the answer (CVE-2025-4143, CVE-2026-7571). Access
 * without a consent has its own audit event. The session is locked first. It keeps how it ended, because the customer
 * may come back after the code is gone.
 * @param consent CTE `waiting`, which locks the consent if it may be authorised, and `consent`, which authorises it;
 * more may follow
 * @param details further details of the audit events
 */
const approving = (consent: string, details = `'{}'::jsonb`) => {
  const said = `jsonb_build_object('ending', 'Approved', 'acr', :acr::text,
      'authenticatedAt', :authenticatedAt::timestamptz, 'challengeId', :challengeId::text,
      'payees', (SELECT challenge -> 'payees' FROM session)) || ${details}`;
  return `
  WITH session AS MATERIALIZED (
    SELECT client_id, consent_id, request, psu_id, challenge, challenge_checked_at
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = :sessionId::uuid')} AS session
    WHERE session_hash = :sessionHash::bytea AND stage = '${toEnd.from}' AND expires_at > :now::timestamptz
      AND challenge ->> 'challengeId' = :challengeId::text),
  client AS (
    SELECT client.client_id, client.fapi_profile, client.response_types, client.authorization_signed_response_alg
    FROM session CROSS JOIN ${clientOfSession} AS client
    WHERE client.status = 'Active' AND session.request ->> 'redirectUri' = ANY (client.redirect_uris)
      AND 'authorization_code' = ANY (client.grant_types)
      AND string_to_array(client.scope, ' ') @> ARRAY(SELECT jsonb_array_elements_text(session.request -> 'scope'))),
  permitted AS (
    SELECT client_id FROM client
    WHERE (fapi_profile, response_types, authorization_signed_response_alg)
      IS NOT DISTINCT FROM (:fapiProfile::text, :responseTypes::text[], :responseAlg::text)),
  ${consent},
  code AS (
    INSERT INTO authorization_codes (code_hash, client_id, consent_id, redirect_uri, scope, psu_id, subject, nonce, acr,
      authenticated_at, consented_at, code_challenge, expires_at)
    SELECT :codeHash::bytea, session.client_id, session.consent_id, session.request ->> 'redirectUri',
      (SELECT string_agg(word, ' ' ORDER BY position)
        FROM jsonb_array_elements_text(session.request -> 'scope') WITH ORDINALITY AS words (word, position)),
      session.psu_id, :subject::text, session.request ->> 'nonce', :acr::text, :authenticatedAt::timestamptz,
        :now::timestamptz,
      session.request ->> 'codeChallenge', :codeExpiresAt::timestamptz
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    WHERE session.consent_id IS NULL OR EXISTS (SELECT FROM consent)
    RETURNING code_hash),
  ${consentRecords('consent', { ...decided, details: said, ids: approvalEventId('consent_id', ':challengeId::text') })},
  access_audit AS (${auditEventsOf('session WHERE consent_id IS NULL AND EXISTS (SELECT FROM code)', {
    ...decided,
    action: `'access.approved'`,
    details: `jsonb_build_object('psuId', psu_id, 'scope', request -> 'scope') || jsonb_strip_nulls(${said})`,
  })}),
  ended AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}', acr = :acr::text,
      authenticated_at = :authenticatedAt::timestamptz,
      ending = CASE WHEN EXISTS (SELECT FROM code) THEN 'Approved' WHEN EXISTS (SELECT
        FROM permitted) THEN 'ConsentChanged'
        WHEN EXISTS (SELECT FROM client) THEN 'ProfileChanged' ELSE 'NotPermitted' END
    WHERE authorization_session_id = :sessionId::uuid AND EXISTS (SELECT FROM session))
  SELECT EXISTS (SELECT FROM session) AS completed, EXISTS (SELECT FROM client) AS client_found,
    EXISTS (SELECT FROM permitted) AS permitted, EXISTS (SELECT FROM code) AS approved`;
};

/** As above, for payments: what is approved is the list that the page showed. */
export const approve = ofSession<ApprovalValues>('approve-authorization')`${approving(`
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id, session.challenge
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    CROSS JOIN ${lockedRowByKey('payment_consents', consentOfSession)} AS consent
    WHERE consent.client_id = session.client_id AND consent.status = '${approval.from}'
      AND consent.expires_at > :now::timestamptz
      AND consent.approval_hash = decode(session.challenge ->> 'approvalHash', 'hex')),
  consent AS (
    UPDATE payment_consents AS consent
    SET status = '${approval.to}', status_updated_at = :now::timestamptz, authorised_at = :now::timestamptz,
      psu_id = waiting.psu_id, challenge_id = :challengeId::text, debtor_account = waiting.challenge -> 'debtorAccount',
      approvals_required = (waiting.challenge ->> 'approvalsRequired')::integer,
      approved_hash = consent.approval_hash
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING ${changedConsent},
      '${approval.from}' AS former)`)}`;

/**
 * As above, for access: the accounts are those of the challenge, `accountDigests` their digests for the audit event, a
 * JSON array. Only the customer who has authorised the consent may do so again. A yes from before their withdrawal has
 * no effect, however late it is stored. Both clocks count: the bank's, because a yes in its app is older than the page
 * that follows it, and ours.
 */
export const approveAccess = ofSession<ApprovalValues & { accountDigests: string | undefined }>(
  'approve-access',
)`${approving(
  `
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, consent.status, session.psu_id, session.challenge -> 'accounts' AS accounts,
      :challengeId::text AS challenge_id, ${endOfTerms('consent')} AS terms_end
    FROM session JOIN permitted ON permitted.client_id = session.client_id
    CROSS JOIN ${lockedAccessConsentOf('session.consent_id')} AS consent
    WHERE consent.client_id = session.client_id AND ${isAccessOpen('consent', ':now::timestamptz')}
      AND ${isOwnDecision('consent', 'session.psu_id')}
      AND ${isNotWithdrawnSince('consent', 'least(:authenticatedAt::timestamptz, session.challenge_checked_at)')}
      AND jsonb_array_length(session.challenge -> 'accounts') > 0),
  consent AS (${authoriseAccess('waiting', ':now::timestamptz')})`,
  `jsonb_build_object('accounts', :accountDigests::jsonb)`,
)}`;

const ending: AuditSource & { details: string } = {
  actor: ':actor::text',
  interactionId: ':interactionId::text',
  at: ':now::timestamptz',
  details: `jsonb_build_object(
    'ending', :ending::text, 'reason', :reason::text, 'psuId', (SELECT psu_id FROM session))`,
};

/**
 * The end without a code.
 * If the consent does not change, the end is audited as `authorization.ended`, but only after sign-in. A consent that
 * has left AwaitingAuthorisation meanwhile does not change. Nor does any consent before sign-in, because a stranger may
 * have the address of the request. Before sign-in, the end claims the answer to the request.
 */
export const endSession = ofSession<SessionEnd>('end-authorization-session')`
  WITH open AS MATERIALIZED (
    SELECT client_id, stage, request
    FROM ${lockedRowByKey('authorization_sessions', 'authorization_session_id = :sessionId::uuid')} AS session
    WHERE session_hash = :sessionHash::bytea AND stage <> '${toEnd.to}'),
  claimed AS (${claim('client_id', 'request', `FROM open WHERE stage = '${toConsentAtOnce.from}'`)}),
  session AS (
    UPDATE authorization_sessions SET stage = '${toEnd.to}', ending = :ending::text
    WHERE authorization_session_id = :sessionId::uuid
      AND EXISTS (SELECT FROM open WHERE open.stage <> '${toConsentAtOnce.from}' OR ${isClaimed('open.request')})
    RETURNING client_id, consent_id, psu_id),
  waiting AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id
    FROM session CROSS JOIN ${lockedRowByKey('payment_consents', consentOfSession)} AS consent
    WHERE :rejectConsent::boolean AND session.psu_id IS NOT NULL AND consent.client_id = session.client_id
      AND consent.status = '${refusal.from}'),
  consent AS (
    UPDATE payment_consents AS consent SET status = '${refusal.to}', status_updated_at = :now::timestamptz,
      status_reason = CASE :ending::text WHEN 'Declined' THEN 'Declined' WHEN 'TooLate' THEN 'Expired'
        ELSE 'NotPossible' END,
      psu_id = CASE :ending::text WHEN 'Declined' THEN waiting.psu_id END, decline_reason = :reason::text
    FROM waiting WHERE consent.consent_id = waiting.consent_id RETURNING ${changedConsent},
      '${refusal.from}' AS former),
  waiting_access AS MATERIALIZED (
    SELECT consent.consent_id, session.psu_id FROM session CROSS JOIN ${lockedAccessConsentOf('session.consent_id')} AS
      consent
    WHERE :rejectConsent::boolean AND session.psu_id IS NOT NULL AND consent.client_id = session.client_id
      AND ${isUndecided('consent')}),
  access AS (${declineAccess('waiting_access', {
    now: ':now::timestamptz',
    ending: ':ending::text',
    reason: ':reason::text',
  })}),
  rejected AS (
    SELECT * FROM consent UNION ALL SELECT * FROM access),
  ${consentRecords('rejected', ending)},
  told AS (${declineNoticeOf('session WHERE psu_id IS NOT NULL', { ...ending, report: ':notice' })}),
  ended_audit AS (${auditEventsOf('session WHERE psu_id IS NOT NULL AND NOT EXISTS (SELECT FROM rejected)', {
    ...ending,
    action: `'authorization.ended'`,
    details: `jsonb_build_object('consentId', consent_id) || jsonb_strip_nulls(${ending.details})`,
  })})
  SELECT EXISTS (SELECT FROM session) AS ended`;
