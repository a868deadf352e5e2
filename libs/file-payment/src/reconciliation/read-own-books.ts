import {
  type ConsentStatus,
  type FilePaymentStatus,
  type LocalInstrument,
  parseDecimalNumber,
  parseStoredJson,
  type PaymentStatus,
} from '#libs/obie-rules';
import { rowByKey, rowsByKey, type StatementRunner } from '#libs/persistence';
import { readAcceptedPayments } from '../parse-payment-file.js';
import { paymentIdOf } from '../payment-id.js';
import type { BookedFilePayment, OwnBook } from './books.js';
import type { Difference } from './difference.js';

interface BookRow extends Record<string, unknown> {
  consent_id: string;
  client_id: string;
  kind: string;
  consent_status: ConsentStatus;
  local_instrument: LocalInstrument | null;
  number_of_transactions: number | null;
  control_sum: string | null;
  taken_hash: string | null;
  approved_hash: string | null;
  stored_hash: string | null;
  payment_ids: string[] | null;
  /** the file, if an amount is stored nowhere else and was not erased */
  content: Buffer | null;
  file_payment_id: string | null;
  status: FilePaymentStatus;
  status_updated_at: Date;
  is_reserved: boolean;
  is_in_progress: boolean;
  stopped_at: Date | null;
  /** id, position, state, amount, hand-over of each payment */
  items: [string, number, PaymentStatus, string | null, string | null][] | null;
  differences: Difference[] | null;
  is_acknowledged: boolean;
}

/**
 * $1 consents. The database hashes the list of instructions. The file is read only if an earlier version stored the
 * amounts nowhere else.
 */
const readOwnBooksSql = `
  SELECT asked.consent_id, consent.client_id, consent.kind, consent.status AS consent_status, consent.local_instrument,
         consent.number_of_transactions, consent.control_sum, encode(consent.approval_hash, 'hex') AS taken_hash,
         encode(consent.approved_hash, 'hex') AS approved_hash,
         CASE WHEN list.consent_id IS NULL AND consent.approval_hash IS NOT NULL THEN 'none'
              WHEN list.erased_at IS NULL THEN encode(sha256(convert_to(list.instructions, 'UTF8')), 'hex') END AS stored_hash,
         file.payment_ids, CASE WHEN NOT item.is_complete AND file.erased_at IS NULL THEN file.content END AS content,
         payment.file_payment_id, payment.status, payment.status_updated_at,
         payment.batch_accepted_at IS NOT NULL AS is_reserved,
         payment.status = 'InitiationPending' AND payment.next_attempt_at IS NOT NULL AS is_in_progress,
         CASE WHEN payment.status = 'InitiationPending' THEN payment.stopped_at END AS stopped_at, item.items,
         known.differences, known.acknowledged_at IS NOT NULL AS is_acknowledged
    FROM unnest($1::uuid[]) AS asked (consent_id)
   CROSS JOIN ${rowByKey('file_payment_consents', 'consent_id = asked.consent_id')} AS consent
    LEFT JOIN ${rowByKey('file_payments', 'consent_id = asked.consent_id')} AS payment ON true
    LEFT JOIN ${rowByKey('payment_files', 'consent_id = asked.consent_id')} AS file ON true
    LEFT JOIN ${rowByKey('instruction_lists', 'consent_id = asked.consent_id')} AS list ON true
    LEFT JOIN ${rowByKey('reconciliations', 'consent_id = asked.consent_id')} AS known ON true
   CROSS JOIN LATERAL (
     SELECT coalesce(bool_and(amount IS NOT NULL), true) AS is_complete,
            json_agg(json_build_array(payment_id, position, status, amount::text, handed_over_at) ORDER BY position) AS items
       FROM (
         SELECT each.payment_id, each.position, each.status, each.handed_over_at,
                coalesce(each.amount, list.amounts[each.position + 1]) AS amount
           FROM ${rowsByKey('payments', 'file_payment_id = payment.file_payment_id')} AS each) AS listed) AS item`;

/** @returns what this service has recorded for each consent that exists, in any order */
export async function readOwnBooks(runner: StatementRunner, consentIds: readonly string[]): Promise<OwnBook[]> {
  if (consentIds.length === 0) return [];
  const { rows } = await runner.query<BookRow>('read-own-books', readOwnBooksSql, [consentIds]);
  return rows.map(toOwnBook);
}

function toOwnBook(row: BookRow): OwnBook {
  const { amounts, isUnreadable } = readAmounts(row);
  const filePayment = toFilePayment(row);
  return {
    consentId: row.consent_id,
    clientId: row.client_id,
    kind: row.kind,
    consentStatus: row.consent_status,
    numberOfPayments: row.number_of_transactions ?? 0,
    sum: parseDecimalNumber(row.control_sum ?? '0') ?? 0n,
    isFileUnreadable: isUnreadable,
    hashes: {
      ...(row.stored_hash === null ? {} : { stored: row.stored_hash }),
      ...(row.taken_hash === null ? {} : { taken: row.taken_hash }),
      ...(row.approved_hash === null ? {} : { approved: row.approved_hash }),
    },
    ...(filePayment && { filePayment }),
    payments: (row.items ?? []).map(([paymentId, position, status, amount, handedOverAt]) => ({
      paymentId,
      position,
      expectedId: row.payment_ids?.[position] ?? paymentIdOf(row.consent_id, position + 1),
      status,
      amount: amount === null ? amounts[position] : parseDecimalNumber(amount),
      handedOverAt: handedOverAt === null ? undefined : new Date(handedOverAt),
    })),
    known: { differences: row.differences ?? [], isAcknowledged: row.is_acknowledged },
  };
}

function toFilePayment(row: BookRow): BookedFilePayment | undefined {
  if (row.file_payment_id === null) return undefined;
  return {
    filePaymentId: row.file_payment_id,
    status: row.status,
    statusUpdatedAt: row.status_updated_at,
    isReserved: row.is_reserved,
    isInProgress: row.is_in_progress,
    stoppedAt: row.stopped_at ?? undefined,
  };
}

/** Amounts from the stored file, by position. */
function readAmounts({ content, local_instrument: localInstrument }: BookRow): {
  amounts: readonly bigint[];
  isUnreadable: boolean;
} {
  if (content === null) return { amounts: [], isUnreadable: false };
  try {
    const document = parseStoredJson(content) as Record<string, unknown>;
    const payments = readAcceptedPayments(document, { localInstrument: localInstrument ?? undefined });
    return { amounts: payments.map(({ amount }) => amount), isUnreadable: false };
  } catch {
    // The message may quote the file, so only the fact that it cannot be read is reported.
    return { amounts: [], isUnreadable: true };
  }
}
