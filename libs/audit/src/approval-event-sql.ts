import { rowByKey } from '#libs/persistence';

/**
 * SQL: the id of the audit event of an approval, so that it is found by its key; NULL without a challenge.
 * @param id SQL of what was approved: a consent or, by a further person, a file payment
 * @param challenge SQL of the bank's challenge that authenticated it
 */
export const approvalEventId = (id: string, challenge: string): string =>
  `encode(substr(sha256(convert_to(${id}::text || ${challenge}, 'UTF8')), 1, 16), 'hex')::uuid`;

/**
 * SQL: 1 if the audit trail has the event of an approval, else 0.
 * @param approval relation of what was approved, with psu_id and challenge_id
 * @param of action of the event, and what was approved
 */
export const countApprovalEvent = (approval: string, { action, id }: { action: string; id: string }): string => `
  (SELECT count(*) FROM ${rowByKey('audit_events', `event_id = ${approvalEventId(id, `${approval}.challenge_id`)}`)} AS
    event
    WHERE event.action = '${action}' AND event.details ->> 'psuId' = ${approval}.psu_id)::int`;
