import type { StatementTime } from '#libs/config';
import type { DebtorAccount } from '#libs/consent';
import { Injectable } from '@nestjs/common';
import { type Conditions, parseDateTime } from '#libs/obie-rules';
import {
  Database,
  firstPlace,
  membersOf,
  type PageOutcome,
  type Place,
  type RowOf,
  type StatementRunner,
} from '#libs/persistence';
import {
  toConsentToDecide,
  type ConsentToDecide,
  type ConsentToDecideRow,
  type DeclineNotice,
  type DeclineReason,
} from '#libs/customer-session';
import { payeeIn } from './only-payee.js';
import {
  decide,
  endApprovalsOf,
  endOverdue,
  findAwaiting,
  findDecided,
  findPaymentToApprove,
  findWaiting,
  type PsuAndAccounts,
} from './payment-approval-sql.js';

/** A file payment of an account that several people share. */
export interface PaymentAwaitingApproval {
  readonly filePaymentId: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly clientName: string;
  readonly orgName: string;
  readonly orgId: string;
  /** number of the organisation in a public register */
  readonly registerNumber?: string;
  /** for whom the client acts as an agent */
  readonly onBehalfOfOrg?: string;
  readonly debtorAccount: { readonly schemeName: string; readonly identification: string; readonly name: string };
  /** decimal text */
  readonly total: string;
  readonly numberOfPayments: number;
  /** of the only payment */
  readonly payee: string | undefined;
  readonly approvalsRequired: number;
  readonly approvalsReceived: number;
  /** what this PSU decided, and when */
  readonly decision?: { readonly outcome: 'Approved' | 'Declined'; readonly decidedAt: Date };
  /** whether this PSU approved the consent */
  readonly isFirstApprover: boolean;
  /** whether the TPP may still act */
  readonly isClientActive: boolean;
  /** whether the bank has stopped it */
  readonly isStopped: boolean;
  /** of all approvers, the earliest first */
  readonly decisions: readonly MadeDecision[];
}

/** One person's decision. */
export interface MadeDecision {
  readonly psuId: string;
  readonly outcome: 'Approved' | 'Declined';
  readonly decidedAt: Date;
  /** the reason, which only the person who declined sees */
  readonly reason?: DeclineReason;
}

/** An account that the bank lists for the PSU. */
export interface SharedAccount {
  readonly schemeName: string;
  readonly identification: string;
}

type StoredMembers = Omit<PaymentAwaitingApproval, 'debtorAccount' | 'payee' | 'decision' | 'decisions'>;

type PaymentAwaitingApprovalRow = RowOf<StoredMembers> & {
  debtor_account: DebtorAccount;
  instructions: string | null;
  decision: MadeDecision['outcome'] | null;
  decided_at: Date | null;
  first_approver: string;
  authorised_at: Date;
  further_decisions: (Pick<MadeDecision, 'psuId' | 'outcome'> & { decidedAt: string; reason: DeclineReason | null })[];
};

/** In the report file, on every payment of a file that a person declined. */
const declinedDetail = JSON.stringify({
  Status: 'Declined',
  StatusReason: 'Cancelled',
  StatusReasonDescription: 'A person whose approval the account needs has declined.',
});

const overdueDetail = JSON.stringify({
  Status: 'Expired',
  StatusReason: 'Cancelled',
  StatusReasonDescription: 'The people whose approval the account needs have not all approved in time.',
});

const clientGoneDetail = JSON.stringify({
  Status: 'Cancelled',
  StatusReason: 'Cancelled',
  StatusReasonDescription: 'The third party provider is no longer permitted to act, and not everybody had approved.',
});

/** File payments that one statement ends: each may have 150 payments. */
const mostEnded = 200;

/**
 * Ends file payments of a client that wait for further approvals, when the client is suspended, removed or deletes
 * itself: nobody can approve them any more. A call ends a limited number.
 * @param runner the transaction in which that happens, or a connection after it
 * @returns how many ended; 0 when nothing is left
 */
export async function endApprovalsOfClient(
  runner: StatementRunner,
  { clientId, now }: { clientId: string; now: StatementTime },
): Promise<number> {
  const { rows } = await runner.query<{ ended: number }>(
    ...endApprovalsOf.with({ clientId, now, detail: clientGoneDetail, limit: mostEnded }),
  );
  return rows[0]?.ended ?? 0;
}

/**
 * The decisions of the further people whose approval an account needs (OBMultiAuthorisation1): one person, one
 * decision.
 */
@Injectable()
export class PaymentApprovalService {
  constructor(private readonly database: Database) {}

  /** @returns what this PSU and others have decided for the accounts, the latest first, at most 50 */
  async findDecided(psuId: string, accounts: readonly SharedAccount[]): Promise<PaymentAwaitingApproval[]> {
    const values = { psuId, ...accountValues(accounts) };
    const { rows } = await this.database.query<PaymentAwaitingApprovalRow>(...findDecided.with(values));
    return rows.map(toPaymentAwaitingApproval);
  }

  /** @returns what waits for this PSU, the oldest first, at most 100 */
  async findAwaiting(psuId: string, accounts: readonly SharedAccount[]): Promise<PaymentAwaitingApproval[]> {
    const values = { psuId, ...accountValues(accounts) };
    const { rows } = await this.database.query<PaymentAwaitingApprovalRow>(...findAwaiting.with(values));
    return rows.map(toPaymentAwaitingApproval);
  }

  /** @returns a payment in any state with its list; undefined if it is not from an account of this PSU */
  async find(
    psuId: string,
    accounts: readonly SharedAccount[],
    filePaymentId: string,
  ): Promise<{ payment: PaymentAwaitingApproval; consent: ConsentToDecide } | undefined> {
    const { rows } = await this.database.query<PaymentAwaitingApprovalRow & ConsentToDecideRow>(
      ...findPaymentToApprove.with({ psuId, ...accountValues(accounts), filePaymentId }),
    );
    const consent = rows[0] && toConsentToDecide(rows[0]);
    return rows[0] && consent && { payment: toPaymentAwaitingApproval(rows[0]), consent };
  }

  /**
   * Records a decision and its consequences in one statement.
   * @param decision `approvalHash` is that of the list that was shown
   * @returns false if this PSU has nothing (more) to decide, or the list is another one
   */
  async decide(decision: {
    outcome: 'Approved' | 'Declined';
    /** why, if the PSU says so */
    reason?: DeclineReason | undefined;
    /** the report of a decline to the bank, stored with the decision */
    notice?: DeclineNotice | undefined;
    psuId: string;
    accounts: readonly SharedAccount[];
    filePaymentId: string;
    approvalHash: Buffer;
    acr: string;
    authenticatedAt: Date;
    /** what authenticated an approval; a decline needs none */
    challenge?: { readonly sessionHash: Buffer; readonly challengeId: string };
    now: StatementTime;
    /** of the request, for the audit event */
    interactionId?: string;
  }): Promise<boolean> {
    const { accounts, challenge, interactionId, reason, notice, ...rest } = decision;
    const { rows } = await this.database.query<{ decided: boolean }>(
      ...decide.with({
        ...rest,
        ...accountValues(accounts),
        interactionId,
        reason,
        notice,
        sessionHash: challenge?.sessionHash,
        challengeId: challenge?.challengeId,
        detail: declinedDetail,
        actor: this.database.applicationName,
      }),
    );
    return rows[0]?.decided === true;
  }

  /**
   * Housekeeping: ends file payments that have waited too long, by the deadline of the TPP (OBAuthorisation1) or by the
   * bank's own. Deadlines are in no order, so it reads all that wait, page by page.
   * @param batchSize length of a page
   * @param approvalSeconds how long a file payment may wait according to the bank
   * @param after end of the previous page
   */
  async endOverdue(
    { now, batchSize, approvalSeconds }: { now: Date; batchSize: number; approvalSeconds: number },
    after: Place = firstPlace,
  ): Promise<PageOutcome> {
    const latest = new Date(now.getTime() - approvalSeconds * 1_000);
    const { rows } = await this.database.query<WaitingRow>(...findWaiting.with({ latest, limit: batchSize, ...after }));
    const changed = await this.#end(
      rows.filter((row) => row.is_overdue || hasPassed(row.conditions, now)),
      now,
    );
    const last = rows.length < batchSize ? undefined : rows.at(-1);
    return { changed, next: last && { at: last.created_at, id: last.payment_order_id } };
  }

  async #end(overdue: readonly WaitingRow[], now: Date): Promise<number> {
    if (overdue.length === 0) return 0;
    const filePaymentIds = overdue.map((row) => row.payment_order_id);
    const { rows } = await this.database.query<{ ended: number }>(
      ...endOverdue.with({ filePaymentIds, now, detail: overdueDetail }),
    );
    return rows[0]?.ended ?? 0;
  }
}

interface WaitingRow {
  payment_order_id: string;
  created_at: string;
  is_overdue: boolean;
  conditions: Conditions;
}

function hasPassed({ Authorisation }: Conditions, now: Date): boolean {
  const deadline = parseDateTime(Authorisation?.CompletionDateTime ?? '');
  return deadline !== undefined && deadline <= now;
}

function accountValues(accounts: readonly SharedAccount[]): Omit<PsuAndAccounts, 'psuId'> {
  return {
    schemeNames: accounts.map(({ schemeName }) => schemeName),
    identifications: accounts.map(({ identification }) => identification),
  };
}

function toPaymentAwaitingApproval(row: PaymentAwaitingApprovalRow): PaymentAwaitingApproval {
  const { debtor_account: account, instructions, further_decisions: further, ...others } = row;
  const { first_approver: psuId, authorised_at: authorisedAt, decision, decided_at: decidedAt, ...stored } = others;
  const members = membersOf<StoredMembers>(stored);
  return {
    ...members,
    debtorAccount: {
      schemeName: account.SchemeName,
      identification: account.Identification,
      name: account.Name ?? '',
    },
    payee: payeeIn({ numberOfPayments: members.numberOfPayments, instructions }),
    decisions: [
      { psuId, outcome: 'Approved', decidedAt: authorisedAt },
      ...further.map(({ reason, ...made }) => ({
        ...made,
        decidedAt: new Date(made.decidedAt),
        ...(reason !== null && { reason }),
      })),
    ],
    ...(decision !== null && decidedAt !== null && { decision: { outcome: decision, decidedAt } }),
  };
}
