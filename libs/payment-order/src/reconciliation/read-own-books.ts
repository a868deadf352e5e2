import { countApprovalEvent } from '#libs/audit';
import type { Clock } from '#libs/config';
import { type ConsentStatus, type PaymentOrderStatus, parseDecimalNumber, type PaymentStatus } from '#libs/obie-rules';
import { rowByKey, rowsByKey, type StatementRunner } from '#libs/persistence';
import { isDueTooLate } from '../due-too-late.js';
import { paymentIdOf } from '../payment-id.js';
import type { BookedOrder, OwnBook } from './books.js';
import type { Difference } from './difference.js';

interface BookRow extends Record<string, unknown> {
  consent_id: string;
  client_id: string;
  kind: string;
  consent_status: ConsentStatus;
  number_of_transactions: number | null;
  control_sum: string | null;
  taken_hash: string | null;
  approved_hash: string | null;
  stored_hash: string | null;
  approvals_received: number;
  approvals_recorded: number;
  payment_order_id: string | null;
  status: PaymentOrderStatus;
  status_updated_at: Date;
  is_reserved: boolean;
  is_in_progress: boolean;
  is_due_too_late: boolean;
  read_at: Date;
  stopped_at: Date | null;
  /** id, position, state, amount, hand-over of each payment */
  items: [string, number, PaymentStatus, string, string | null][] | null;
  differences: Difference[] | null;
  is_acknowledged: boolean;
}

/** $1 consents, $2 now. The database hashes the list of instructions. */
const readOwnBooksSql = `
  SELECT asked.consent_id, consent.client_id, consent.kind, consent.status AS consent_status,
         consent.number_of_transactions, consent.control_sum, encode(consent.approval_hash, 'hex') AS taken_hash,
         encode(consent.approved_hash, 'hex') AS approved_hash,
         CASE WHEN list.consent_id IS NULL AND consent.approval_hash IS NOT NULL THEN 'none'
              WHEN list.erased_at IS NULL THEN encode(sha256(convert_to(list.instructions, 'UTF8')),
                'hex') END AS stored_hash,
         ${approvalsOf('consent', 'payment')},
         payment.payment_order_id, payment.status, payment.status_updated_at,
         payment.batch_accepted_at IS NOT NULL AS is_reserved,
         payment.status = 'InitiationPending' AND payment.next_attempt_at IS NOT NULL AS is_in_progress,
         coalesce(${isDueTooLate('payment', '$2')}, false) OR item.is_due_too_late AS is_due_too_late,
           $2::timestamptz AS read_at,
         CASE WHEN payment.status = 'InitiationPending' THEN payment.stopped_at END AS stopped_at, item.items,
         known.differences, known.acknowledged_at IS NOT NULL AS is_acknowledged
    FROM unnest($1::uuid[]) AS asked (consent_id)
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent
    LEFT JOIN ${rowByKey('payment_orders', 'consent_id = asked.consent_id')} AS payment ON true
    LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = asked.consent_id')} AS list ON true
    LEFT JOIN ${rowByKey('reconciliations', 'consent_id = asked.consent_id')} AS known ON true
   CROSS JOIN LATERAL (
     SELECT json_agg(json_build_array(payment_id, position, status, amount::text, handed_over_at)
       ORDER BY position) AS items,
            coalesce(bool_or(${isDueTooLate('listed', '$2')}), false) AS is_due_too_late
       FROM ${rowsByKey('payments', 'payment_order_id = payment.payment_order_id')} AS listed) AS item`;

/** @returns what this service has recorded for each consent that exists, in any order */
export async function readOwnBooks(
  { runner, clock }: { readonly runner: StatementRunner; readonly clock: Clock },
  consentIds: readonly string[],
): Promise<OwnBook[]> {
  if (consentIds.length === 0) return [];
  const { rows } = await runner.query<BookRow>('read-own-books', readOwnBooksSql, [consentIds, clock.ofDatabase()]);
  return rows.map(toOwnBook);
}

function toOwnBook(row: BookRow): OwnBook {
  const filePayment = toFilePayment(row);
  return {
    consentId: row.consent_id,
    clientId: row.client_id,
    readAt: row.read_at,
    kind: row.kind,
    consentStatus: row.consent_status,
    numberOfPayments: row.number_of_transactions ?? 0,
    sum: parseDecimalNumber(row.control_sum ?? '0') ?? 0n,
    hashes: {
      ...(row.stored_hash === null ? {} : { stored: row.stored_hash }),
      ...(row.taken_hash === null ? {} : { taken: row.taken_hash }),
      ...(row.approved_hash === null ? {} : { approved: row.approved_hash }),
    },
    approvals: { received: row.approvals_received, recorded: row.approvals_recorded },
    ...(filePayment && { filePayment }),
    payments: (row.items ?? []).map(([paymentId, position, status, amount, handedOverAt]) => ({
      paymentId,
      position,
      expectedId: paymentIdOf(row.consent_id, position + 1),
      status,
      amount: parseDecimalNumber(amount) ?? 0n,
      handedOverAt: handedOverAt === null ? undefined : new Date(handedOverAt),
    })),
    known: { differences: row.differences ?? [], isAcknowledged: row.is_acknowledged },
  };
}

function toFilePayment(row: BookRow): BookedOrder | undefined {
  if (row.payment_order_id === null) return undefined;
  return {
    filePaymentId: row.payment_order_id,
    status: row.status,
    statusUpdatedAt: row.status_updated_at,
    isReserved: row.is_reserved,
    isInProgress: row.is_in_progress,
    isDueTooLate: row.is_due_too_late,
    stoppedAt: row.stopped_at ?? undefined,
  };
}

/**
 * SQL: how many people approved an order (`approvals_received`), and how many of them the audit trail has
 * (`approvals_recorded`). It keeps events for a year; older approvals count as recorded.
 * @param consent relation of the consent
 * @param payment relation of its file payment, of NULLs if there is none
 */
function approvalsOf(consent: string, payment: string): string {
  const received = `coalesce(${payment}.approvals_received, num_nonnulls(${consent}.authorised_at))`;
  return `
    ${received} AS approvals_received,
    CASE WHEN greatest(${consent}.created_at, ${consent}.authorised_at) < now() - interval '1 year' THEN ${received}
    ELSE ${countApprovalEvent(consent, { action: 'consent.authorised', id: `${consent}.consent_id` })} + (
      SELECT coalesce(sum(${countApprovalEvent('further', {
        action: 'payment.approved',
        id: 'further.payment_order_id',
      })}), 0)
        FROM ${rowsByKey('payment_approvals', `payment_order_id = ${payment}.payment_order_id`)} AS further
       WHERE decision = 'Approved')::int END AS approvals_recorded`;
}
