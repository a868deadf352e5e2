import type { ConsentStatus, PaymentOrderStatus, PaymentStatus } from '#libs/obie-rules';
import type { Difference } from './difference.js';

/** What this service has recorded about a consumed consent: its file, the approval and the outcome. */
export interface OwnBook {
  readonly consentId: string;
  readonly clientId: string;
  /** when this was read, by the database's clock */
  readonly readAt: Date;
  /** of its consent */
  readonly kind: string;
  readonly consentStatus: ConsentStatus;
  /** of the file */
  readonly numberOfPayments: number;
  /** sum of the file, units of 0.00001 */
  readonly sum: bigint;
  /** hash of the list of instructions, in hex: as stored, as made at the upload, as approved; those that are known */
  readonly hashes: { readonly stored?: string; readonly taken?: string; readonly approved?: string };
  /** how many people approved it, and how many of them the audit trail has */
  readonly approvals: { readonly received: number; readonly recorded: number };
  readonly filePayment?: BookedOrder;
  /** in file order */
  readonly payments: readonly BookedPayment[];
  /** what the last comparison found, and whether a person has acknowledged it */
  readonly known: { readonly differences: readonly Difference[]; readonly isAcknowledged: boolean };
}

export interface BookedOrder {
  readonly filePaymentId: string;
  readonly status: PaymentOrderStatus;
  readonly statusUpdatedAt: Date;
  /** the bank has reserved the money of the file */
  readonly isReserved: boolean;
  /** a worker has it or will take it: what the bank has done may not be recorded yet */
  readonly isInProgress: boolean;
  /** it, or one of its payments, is due later than the service makes anything due */
  readonly isDueTooLate: boolean;
  /** since then nothing has left but what was on its way */
  readonly stoppedAt?: Date | undefined;
}

export interface BookedPayment {
  readonly paymentId: string;
  /** index in the file, from 0 */
  readonly position: number;
  /** the id of the payment at this place of the file */
  readonly expectedId: string;
  readonly status: PaymentStatus;
  /** units of 0.00001 */
  readonly amount: bigint;
  readonly handedOverAt?: Date | undefined;
}

/** What the bank has recorded about a file payment. */
export interface BankBook {
  /** about the money of the file */
  readonly decision: 'Accepted' | 'Refused' | 'Unknown';
  readonly payments: readonly {
    readonly paymentId: string;
    /** decimal text */
    readonly amount: string;
    readonly currency: string;
    readonly status: PaymentStatus;
  }[];
}

/** The bank's book, or why there is none to compare with. */
export type BankBookAnswer = BankBook | 'NotOffered' | 'Away' | 'Unreadable';
