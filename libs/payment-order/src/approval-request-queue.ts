import { Injectable } from '@nestjs/common';
import { Clock, Config, type StatementTime } from '#libs/config';
import type { DebtorAccount } from '#libs/consent';
import { approvalDeadline, type Conditions } from '#libs/obie-rules';
import { Database, membersOf, rowByKey, type RowOf, secondsAfter, statement } from '#libs/persistence';

/** A file payment whose further approvers must be notified. */
export interface DueApprovalRequest {
  readonly filePaymentId: string;
  /** who approved first */
  readonly psuId: string;
  readonly clientName: string;
  readonly debtorAccount: { readonly schemeName: string; readonly identification: string };
  /** decimal text */
  readonly total: string;
  readonly numberOfPayments: number;
  readonly approvalsRequired: number;
  readonly approvalsReceived: number;
  /** the deadline, set by the bank or by the TPP (OBAuthorisation1) */
  readonly approveBefore: Date;
  /** number of attempts, including this one */
  readonly attempts: number;
}

type StoredMembers = Omit<DueApprovalRequest, 'debtorAccount' | 'approveBefore'>;

type DueApprovalRequestRow = RowOf<StoredMembers> & {
  debtor_account: DebtorAccount;
  created_at: Date;
  conditions: Conditions;
};

/** Longest pause between two attempts, in seconds. */
const longestPauseSeconds = 3_600;

const isWaiting = `payment.status = 'InitiationPending' AND payment.approvals_received < payment.approvals_required`;

const paymentOfDue = `CROSS JOIN ${rowByKey('payment_orders', 'payment_order_id = due.payment_order_id')} AS payment`;

/**
 * SKIP LOCKED: no two workers send the same request at once. Deletes requests that were decided meanwhile.
 */
const takeDue = statement<{ now: StatementTime; limit: number }>('take-approval-requests', ['now'])`
  WITH due AS MATERIALIZED (
    SELECT payment_order_id FROM approval_requests WHERE next_attempt_at <= :now::timestamptz
    ORDER BY next_attempt_at LIMIT :limit FOR UPDATE SKIP LOCKED),
  decided AS (
    DELETE FROM approval_requests WHERE payment_order_id = ANY (ARRAY(
      SELECT due.payment_order_id FROM due ${paymentOfDue} WHERE NOT (${isWaiting})))),
  waiting AS MATERIALIZED (
    SELECT due.payment_order_id AS file_payment_id, consent.psu_id, client.client_name, consent.debtor_account,
      consent.control_sum::text AS total, consent.number_of_transactions AS number_of_payments,
      payment.approvals_required, payment.approvals_received, payment.created_at, consent.conditions
    FROM due ${paymentOfDue}
    CROSS JOIN ${rowByKey('payment_consents', 'consent_id = payment.consent_id')} AS consent
    CROSS JOIN ${rowByKey('clients', 'client_id = payment.client_id')} AS client WHERE ${isWaiting})
  UPDATE approval_requests AS request
  SET attempts = request.attempts + 1,
    next_attempt_at = ${secondsAfter(
      ':now::timestamptz',
      `least(10 * power(2, least(request.attempts, 12)),
      ${longestPauseSeconds}::integer)`,
    )}
  FROM waiting
  WHERE request.payment_order_id = waiting.file_payment_id
    AND request.payment_order_id = ANY (ARRAY(SELECT file_payment_id FROM waiting))
  RETURNING waiting.*, request.attempts`;

const removeRequests = statement<{ filePaymentIds: readonly string[] }>('remove-approval-requests')`
  DELETE FROM approval_requests WHERE payment_order_id = ANY (:filePaymentIds::uuid[])`;

/**
 * File payments whose further approvers must be notified. The statement that creates the file payment writes the
 * request; several workers may take from the queue; each request is delivered at least once.
 */
@Injectable()
export class ApprovalRequestQueue {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the requests that are due. Each is due again after a pause that doubles, up to an hour, while its file
   * payment awaits approval.
   */
  async take(limit: number): Promise<DueApprovalRequest[]> {
    const { rows } = await this.database.query<DueApprovalRequestRow>(
      ...takeDue.with({ now: this.clock.ofDatabase(), limit }),
    );
    const { approvalSeconds } = this.config.authorization;
    return rows.map((row) => toDueApprovalRequest(row, approvalSeconds));
  }

  /** Removes delivered requests. */
  async remove(filePaymentIds: readonly string[]): Promise<void> {
    if (filePaymentIds.length === 0) return;
    await this.database.query(...removeRequests.with({ filePaymentIds }));
  }
}

function toDueApprovalRequest(
  { debtor_account: account, created_at: createdAt, conditions, ...stored }: DueApprovalRequestRow,
  approvalSeconds: number,
): DueApprovalRequest {
  const completionDateTime = conditions.Authorisation?.CompletionDateTime;
  return {
    ...membersOf<StoredMembers>(stored),
    debtorAccount: { schemeName: account.SchemeName, identification: account.Identification },
    approveBefore: approvalDeadline({ createdAt, completionDateTime, approvalSeconds }),
  };
}
