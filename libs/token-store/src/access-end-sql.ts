import { type AccessEndSql, endOfConsent, withdrawalOfConsent } from '#libs/access-consent';
import { rowsByKey } from '#libs/persistence';
import { revocationsOf } from './revocation-records-sql.js';

/**
 * With a consent its refresh grants end, and both are recorded. A grant that is issued at the same moment may stay as it
 * is; its tokens rest on the consent, so they are invalid all the same. Grants are locked in the order of their keys,
 * like in every statement that locks several.
 */
const withGrants = ({ parts, by }: AccessEndSql): string => `
  WITH ${parts},
  ended_grants AS (
    UPDATE refresh_grants SET revoked_at = ${by.at}
    WHERE revoked_at IS NULL AND consent_id = (SELECT consent_id FROM ended) AND code_hash = ANY (ARRAY(
      SELECT code_hash FROM ${rowsByKey('refresh_grants', 'consent_id = (SELECT consent_id FROM ended)')} AS own
      WHERE revoked_at IS NULL ORDER BY code_hash FOR UPDATE))
    RETURNING client_id),
  ended_grants_audit AS (${revocationsOf('ended_grants', { ...by, what: 'refresh-grant' })})
  SELECT FROM ended`;

export const endAccessConsentSql = withGrants(endOfConsent);
export const withdrawAccessConsentSql = withGrants(withdrawalOfConsent);
