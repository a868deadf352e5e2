import { Injectable } from '@nestjs/common';
import { parseDateTime } from '#libs/obie-rules';
import { Database } from '#libs/persistence';
import { toConsentToDecide, type ConsentToDecide, type ConsentToDecideRow } from './consent-to-decide.js';
import {
  decideSql,
  endOverdueSql,
  findAwaitingSql,
  findPaymentToApproveSql,
  findWaitingSql,
} from './payment-approval-sql.js';

/** A file payment of an account that several people share. */
export interface PaymentAwaitingApproval {
  readonly filePaymentId: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly clientName: string;
  readonly orgName: string;
  readonly debtorAccount: { readonly schemeName: string; readonly identification: string; readonly name: string };
  /** decimal text */
  readonly total: string;
  readonly numberOfPayments: number;
  readonly approvalsRequired: number;
  readonly approvalsReceived: number;
  /** what this PSU decided, and when */
  readonly decision?: { readonly outcome: 'Approved' | 'Declined'; readonly decidedAt: Date };
  /** this PSU is the one who approved the consent */
  readonly isFirstApprover: boolean;
}

/** An account that the bank lists for the PSU. */
export interface SharedAccount {
  readonly schemeName: string;
  readonly identification: string;
}

interface PaymentAwaitingApprovalRow {
  file_payment_id: string;
  payment_status: string;
  created_at: Date;
  approvals_required: number;
  approvals_received: number;
  debtor_account: { SchemeName: string; Identification: string; Name?: string };
  control_sum: string;
  number_of_transactions: number;
  client_name: string;
  org_name: string;
  decision: 'Approved' | 'Declined' | null;
  decided_at: Date | null;
  is_first_approver: boolean;
}

/** In the report file, on every payment of a file that somebody declined. */
const declinedDetail = JSON.stringify({
  Status: 'Declined',
  StatusReason: 'Cancelled',
  StatusReasonDescription: 'A person whose approval the account needs has declined the file.',
});

const overdueDetail = JSON.stringify({
  Status: 'Expired',
  StatusReason: 'Cancelled',
  StatusReasonDescription: 'The people whose approval the account needs have not all approved the file in time.',
});

/** The decisions of the further people whose approval an account needs (OBMultiAuthorisation1): one person, one decision. */
@Injectable()
export class PaymentApprovalService {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @returns what waits for this PSU, the oldest first, at most 100 */
  async findAwaiting(psuId: string, accounts: readonly SharedAccount[]): Promise<PaymentAwaitingApproval[]> {
    const { rows } = await this.#database.query<PaymentAwaitingApprovalRow>(
      'find-payments-awaiting-approval',
      findAwaitingSql,
      [psuId, ...accountParameters(accounts)],
    );
    return rows.map(toPaymentAwaitingApproval);
  }

  /** @returns a payment in whatever state with its file; undefined if there is none of this PSU's accounts */
  async find(
    psuId: string,
    accounts: readonly SharedAccount[],
    filePaymentId: string,
  ): Promise<{ payment: PaymentAwaitingApproval; consent: ConsentToDecide } | undefined> {
    const { rows } = await this.#database.query<PaymentAwaitingApprovalRow & ConsentToDecideRow>(
      'find-payment-to-approve',
      findPaymentToApproveSql,
      [psuId, ...accountParameters(accounts), filePaymentId],
    );
    const consent = rows[0] && toConsentToDecide(rows[0]);
    return rows[0] && consent && { payment: toPaymentAwaitingApproval(rows[0]), consent };
  }

  /**
   * Records a decision with all that follows from it, in one statement.
   * @param decision `fileHash` is that of the file which was shown
   * @returns false if there was nothing (left) to decide for this PSU, or the file is another
   */
  async decide(decision: {
    outcome: 'Approved' | 'Declined';
    psuId: string;
    accounts: readonly SharedAccount[];
    filePaymentId: string;
    fileHash: Buffer;
    acr: string;
    authenticatedAt: Date;
    now: Date;
    /** of the request, for the audit event */
    interactionId?: string;
  }): Promise<boolean> {
    const { outcome, psuId, accounts, filePaymentId, fileHash, acr, authenticatedAt, now, interactionId } = decision;
    const { rows } = await this.#database.query<{ decided: boolean }>('decide-payment-approval', decideSql, [
      psuId,
      ...accountParameters(accounts),
      filePaymentId,
      fileHash,
      now,
      acr,
      authenticatedAt,
      outcome,
      declinedDetail,
      interactionId ?? null,
    ]);
    return rows[0]?.decided === true;
  }

  /**
   * Housekeeping: ends file payments that have waited too long, by the deadline of the TPP (OBAuthorisation1) or by the bank's own.
   * All that wait are looked at, for a deadline may be anywhere among them.
   * @param batchSize how many are read at once
   * @param approvalSeconds the bank's own: how long a file payment may wait
   * @returns how many ended
   */
  async endOverdue({
    now,
    batchSize,
    approvalSeconds,
  }: {
    now: Date;
    batchSize: number;
    approvalSeconds: number;
  }): Promise<number> {
    const latest = new Date(now.getTime() - approvalSeconds * 1_000);
    let ended = 0;
    let last = { created_at: '-infinity', file_payment_id: '00000000-0000-0000-0000-000000000000' };
    for (;;) {
      const { rows } = await this.#database.query<WaitingRow>('find-payments-waiting-for-approval', findWaitingSql, [
        latest,
        batchSize,
        last.created_at,
        last.file_payment_id,
      ]);
      const overdue = rows.filter((row) => row.is_overdue || hasPassed(row.authorisation, now));
      ended += await this.#end(overdue, now);
      const next = rows.at(-1);
      if (next === undefined || rows.length < batchSize) return ended;
      last = next;
    }
  }

  async #end(overdue: readonly WaitingRow[], now: Date): Promise<number> {
    if (overdue.length === 0) return 0;
    const ids = overdue.map((row) => row.file_payment_id);
    const parameters = [ids, now, overdueDetail];
    const { rows } = await this.#database.query<{ ended: number }>('end-overdue-approvals', endOverdueSql, parameters);
    return rows[0]?.ended ?? 0;
  }
}

interface WaitingRow {
  file_payment_id: string;
  created_at: string;
  is_overdue: boolean;
  authorisation: string | null;
}

function hasPassed(authorisation: string | null, now: Date): boolean {
  const { CompletionDateTime = '' } = JSON.parse(authorisation ?? '{}') as { CompletionDateTime?: string };
  const deadline = parseDateTime(CompletionDateTime);
  return deadline !== undefined && deadline <= now;
}

function accountParameters(accounts: readonly SharedAccount[]): [string[], string[]] {
  return [accounts.map(({ schemeName }) => schemeName), accounts.map(({ identification }) => identification)];
}

function toPaymentAwaitingApproval(row: PaymentAwaitingApprovalRow): PaymentAwaitingApproval {
  const { SchemeName: schemeName, Identification: identification, Name: name = '' } = row.debtor_account;
  return {
    filePaymentId: row.file_payment_id,
    status: row.payment_status,
    createdAt: row.created_at,
    clientName: row.client_name,
    orgName: row.org_name,
    debtorAccount: { schemeName, identification, name },
    total: row.control_sum,
    numberOfPayments: row.number_of_transactions,
    approvalsRequired: row.approvals_required,
    approvalsReceived: row.approvals_received,
    isFirstApprover: row.is_first_approver,
    ...(row.decision !== null &&
      row.decided_at !== null && { decision: { outcome: row.decision, decidedAt: row.decided_at } }),
  };
}
