import type { AuditSource } from '#libs/audit';
import { consentRecords } from '#libs/events';
import { accessConsentStep } from '#libs/obie-rules';
import { consecutiveIds, lockedRowByKey, rowByKey, secondsAfter } from '#libs/persistence';

const authorisation = accessConsentStep('AwaitingAuthorisation', 'Authorised');
const refusal = accessConsentStep('AwaitingAuthorisation', 'Rejected');
const withdrawal = accessConsentStep('Authorised', 'Withdrawn');
const end = accessConsentStep('Authorised', 'Revoked');
const expiry = accessConsentStep('Authorised', 'Expired');
const renewal = accessConsentStep('Withdrawn', 'Authorised');
const isOpen = `status IN ('${refusal.from}', '${withdrawal.from}', '${renewal.from}')`;

/** RETURNING of a change: what its records contain, besides the former state. */
const changed = (former: string): string =>
  `consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.psu_id,
    ${former} AS former`;

/**
 * $1 consent, $2 client, $3 kind, $4 version, $5 now, $6 seconds for the authorisation, $7 terms, $8 end that the TPP
 * asked for
 */
export const stageAccessConsentSql = `
  INSERT INTO access_consents (consent_id, client_id, kind, api_version, status, created_at, status_updated_at,
    expires_at, terms)
  VALUES ($1, $2, $3, $4, '${refusal.from}', $5, $5, least(${secondsAfter('$5::timestamptz', '$6::integer')}, $8), $7)
  RETURNING created_at`;

const columns = `
  consent.consent_id, consent.client_id, consent.kind, consent.api_version, consent.status, consent.status_reason,
    consent.created_at,
  consent.status_updated_at, consent.expires_at, consent.terms, consent.accounts`;

/** $1 consent, $2 kind */
export const findAccessConsentSql = `
  SELECT ${columns} FROM ${accessConsentOf('$1')} AS consent WHERE consent.kind = $2`;

/** Part of FROM: the consent of this id, whatever its kind. */
export function accessConsentOf(consentId: string): string {
  return rowByKey('access_consents', `consent_id = ${consentId}`);
}

/** As above, locked, so that the row is read after any earlier change. */
export function lockedAccessConsentOf(consentId: string): string {
  return lockedRowByKey('access_consents', `consent_id = ${consentId}`);
}

/**
 * Part of FROM: the consents that a customer has authorised: up to a thousand current ones, and the latest hundred
 * ended ones.
 */
export function accessOfPsu(psuId: string, now: string): string {
  const latest = (condition: string, limit: number): string => `
    (SELECT * FROM (
      SELECT * FROM access_consents WHERE psu_id = ${psuId} AND authorised_at IS NOT NULL
        ORDER BY authorised_at DESC OFFSET 0) AS given
      WHERE ${condition} LIMIT ${limit})`;
  const isGood = isAccessGood('given', now);
  return `LATERAL (${latest(isGood, 1_000)} UNION ALL ${latest(`NOT ${isGood}`, 100)})`;
}

const isInTime = (alias: string, now: string) => `(${alias}.expires_at IS NULL OR ${alias}.expires_at > ${now})`;

/**
 * Part of FROM: the latest fifty consents that a customer authorised, and the latest fifty that they declined. A
 * declined one has no `authorised_at`.
 */
export function decidedAccessOfPsu(psuId: string): string {
  const latest = (condition: string, time: string): string => `
    (SELECT * FROM access_consents WHERE psu_id = ${psuId} AND ${condition} ORDER BY ${time} DESC LIMIT 50)`;
  const [authorised, declined] = [
    latest('authorised_at IS NOT NULL', 'authorised_at'),
    latest('authorised_at IS NULL', 'status_updated_at'),
  ];
  return `LATERAL (${authorised} UNION ALL ${declined})`;
}

/**
 * SQL on a row of access_consents: its tokens are valid.
 * @param alias of the row
 * @param now parameter with the time
 */
export function isAccessGood(alias: string, now: string): string {
  return `(${alias}.status = '${withdrawal.from}' AND ${isInTime(alias, now)})`;
}

/**
 * As above, for an authorisation at a given time: a withdrawal ends it permanently, even if the consent is authorised
 * again.
 * @param since column with that time
 */
export function isStillGood(alias: string, { now, since }: { now: string; since: string }): string {
  return `(${isAccessGood(alias, now)} AND ${isNotWithdrawnSince(alias, since)})`;
}

/** As above: the customer has not withdrawn it since a given time. */
export function isNotWithdrawnSince(alias: string, since: string): string {
  return `(${alias}.withdrawn_at IS NULL OR ${since} > ${alias}.withdrawn_at)`;
}

/**
 * As above: a customer may decide on it. An authorised consent may be authorised again; {@link isOwnDecision} says by
 * whom.
 */
export function isAccessOpen(alias: string, now: string): string {
  return `(${alias}.${isOpen} AND ${isInTime(alias, now)})`;
}

/** As above: nobody or this customer has authorised it. */
export function isOwnDecision(alias: string, psuId: string): string {
  return `(${alias}.psu_id IS NULL OR ${alias}.psu_id = ${psuId})`;
}

/** SQL on a row of access_consents: the expiry that the client requested, or null. */
export function endOfTerms(alias: string): string {
  return `(${alias}.terms ->> 'expirationDateTime')::timestamptz`;
}

/**
 * Part of WITH: the customer's approval, the first or a later one. From then on the consent expires as its terms state.
 * @param source a relation of the same statement: locked rows with the columns consent_id, status, psu_id, accounts,
 * challenge_id and terms_end
 * @param now parameter with the time
 */
export function authoriseAccess(source: string, now: string): string {
  return `
    UPDATE access_consents AS consent SET status = '${authorisation.to}', authorised_at = ${now},
      psu_id = ${source}.psu_id,
      status_updated_at = CASE consent.status WHEN '${authorisation.to}' THEN consent.status_updated_at ELSE ${now} END,
      status_reason = NULL, accounts = ${source}.accounts, challenge_id = ${source}.challenge_id,
      expires_at = ${source}.terms_end
    FROM ${source} WHERE consent.consent_id = ${source}.consent_id RETURNING ${changed(`${source}.status`)}`;
}

/** SQL on a row of access_consents: nobody has decided on it yet, so a decline rejects it. */
export function isUndecided(alias: string): string {
  return `${alias}.status = '${refusal.from}'`;
}

/**
 * Part of WITH: the customer's decline. A consent that was authorised before stays authorised.
 * @param source as above: locked rows that are undecided, with the columns consent_id and psu_id
 * @param end parameters: the time, the word for how the session ended, and why the customer declined or null
 */
export function declineAccess(
  source: string,
  { now, ending: word, reason }: { now: string; ending: string; reason: string },
): string {
  return `
    UPDATE access_consents AS consent SET status = '${refusal.to}', status_updated_at = ${now},
      status_reason = CASE ${word} WHEN 'Declined' THEN 'Declined' ELSE 'NotPossible' END,
      psu_id = CASE ${word} WHEN 'Declined' THEN ${source}.psu_id END, decline_reason = ${reason}
    FROM ${source} WHERE consent.consent_id = ${source}.consent_id RETURNING ${changed(`'${refusal.from}'`)}`;
}

const ending = (alias: string) => `
  SET status = CASE ${alias}.status WHEN '${refusal.from}' THEN '${refusal.to}' ELSE '${end.to}' END`;

const ofRequest = { actor: '$6::text', interactionId: '$5::text', at: '$3::timestamptz' };

/** The first CTEs of a statement. The caller appends CTEs that end the grants of the consents in `ended`. */
export interface AccessEndSql {
  /** parts of WITH */
  readonly parts: string;
  readonly by: AuditSource;
}

/**
 * @param parts of WITH that end with `ended`, the UPDATE of the consents
 * @param by who ends them, for which request and when
 */
const recorded = (parts: string, by: AuditSource): AccessEndSql => ({
  parts: `${parts}, ${consentRecords('ended', by)}`,
  by,
});

/**
 * The client deletes it. $1 consent, $2 client, $3 now, $4 why, $5 interaction id, $6 actor. An unauthorised consent
 * becomes Rejected, an authorised one Revoked; an ended one does not change.
 */
export const endOfConsent = recorded(
  `
  held AS MATERIALIZED (
    SELECT consent.consent_id, consent.status FROM ${lockedAccessConsentOf('$1::uuid')} AS consent
    WHERE consent.client_id = $2::uuid AND ${isAccessOpen('consent', '$3::timestamptz')}),
  ended AS (
    UPDATE access_consents AS consent ${ending('consent')}, status_updated_at = $3::timestamptz,
      status_reason = $4::text
    FROM held WHERE consent.consent_id = held.consent_id RETURNING ${changed('held.status')})`,
  ofRequest,
);

/**
 * The customer ends it at the bank. $1 consent, $2 PSU, $3 now, $4 why, $5 interaction id, $6 actor. Earlier
 * authorisations end. Account access may be authorised again (Account and Transaction API Profile, Access Revocation);
 * funds confirmation has ended (Confirmation of Funds API Profile, Status).
 */
export const withdrawalOfConsent = recorded(
  `
  held AS MATERIALIZED (
    SELECT consent.consent_id, consent.status FROM ${lockedAccessConsentOf('$1::uuid')} AS consent
    WHERE consent.psu_id = $2::text AND ${isAccessGood('consent', '$3::timestamptz')}),
  ended AS (
    UPDATE access_consents AS consent SET status_updated_at = $3::timestamptz, status_reason = $4::text,
      status = CASE consent.kind WHEN 'account-access' THEN '${withdrawal.to}' ELSE '${end.to}' END,
      withdrawn_at = $3::timestamptz
    FROM held WHERE consent.consent_id = held.consent_id RETURNING ${changed('held.status')})`,
  ofRequest,
);

/**
 * $1 client, $2 now, $3 interaction id or null, $4 actor: the client is removed, and the worker ends its open consents
 */
export const noteAccessEndSql = `
  INSERT INTO access_consent_ends (client_id, ended_at, interaction_id, actor) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING`;

/** The removed client that has waited longest. */
export const findAccessEndSql = `
  SELECT client_id, ended_at, interaction_id, actor FROM access_consent_ends ORDER BY ended_at, client_id LIMIT 1`;

/** A subquery: the open consents of a client, found by its index alone. */
const openOfClient = (clientId: string): string =>
  `(SELECT consent_id FROM (SELECT * FROM access_consents WHERE client_id = ${clientId} OFFSET 0) AS own
    WHERE ${isOpen})`;

/**
 * $1 client, $2 when it was removed, $3 interaction id or null, $4 actor, $5 how many. Takes any of them: with an
 * order, every step would read them all. Rows are locked in the order of their ids, as in every statement that locks
 * several. The client's refresh grants have ended before.
 */
export const endAccessOfClientSql = `
  WITH chosen AS MATERIALIZED (
    SELECT consent_id FROM ${openOfClient('$1::uuid')} AS open LIMIT $5),
  held AS MATERIALIZED (
    SELECT consent_id, status FROM (
      SELECT * FROM access_consents WHERE consent_id = ANY (ARRAY(SELECT consent_id FROM chosen))
      ORDER BY consent_id OFFSET 0 FOR NO KEY UPDATE) AS locked
    WHERE ${isOpen}),
  ended AS (
    UPDATE access_consents AS consent ${ending('consent')}, status_updated_at = $2::timestamptz,
      status_reason = 'ClientGone'
    FROM held WHERE consent.consent_id = held.consent_id AND consent.consent_id = ANY (ARRAY(SELECT consent_id
      FROM held))
    RETURNING ${changed('held.status')}),
  ${consentRecords('ended', {
    actor: '$4::text',
    interactionId: '$3::text',
    at: '$2::timestamptz',
    ids: consecutiveIds,
  })}
  SELECT FROM ended`;

/** $1 client. Deletes nothing while a consent is open. */
export const finishAccessEndSql = `
  DELETE FROM access_consent_ends WHERE client_id = $1 AND NOT EXISTS ${openOfClient('$1::uuid')}`;

/** $1 client. No row: all has ended. */
export const countAccessToEndSql = `
  SELECT (SELECT count(*)::int FROM ${openOfClient('$1::uuid')} AS open) AS count FROM access_consent_ends
    WHERE client_id = $1`;

/**
 * $1 now, $2 how many, $3 actor. A locked row is processed in the next round. Refresh grants last no longer than their
 * consent, so they have expired, too.
 */
export const expireAccessConsentsSql = `
  WITH due AS MATERIALIZED (
    SELECT consent_id, status FROM access_consents WHERE ${isOpen} AND expires_at <= $1::timestamptz
     ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  ended AS (
    UPDATE access_consents AS consent SET status_updated_at = $1::timestamptz, status_reason = 'Expired',
      status = CASE consent.status WHEN '${refusal.from}' THEN '${refusal.to}' ELSE '${expiry.to}' END
    FROM due WHERE consent.consent_id = due.consent_id AND consent.consent_id = ANY (ARRAY(SELECT consent_id FROM due))
    RETURNING ${changed('due.status')}),
  ${consentRecords('ended', { actor: '$3::text', interactionId: 'NULL', at: '$1::timestamptz', ids: consecutiveIds })}
  SELECT FROM ended`;
