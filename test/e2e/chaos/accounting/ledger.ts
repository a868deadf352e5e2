import type { AcknowledgedPayment, Sighting } from '../customers/stubborn-tpp.js';
import type { Intervention } from '../world/history.js';

/** What the service has stored of a file payment. */
export interface StoredOrder {
  readonly filePaymentId: string;
  readonly consentId: string;
  readonly status: string;
  /** what keeps it from going on, for whoever looks into it */
  readonly waitsFor?: string;
  /** in file order */
  readonly items: readonly { readonly paymentId: string; readonly status: string }[];
}

/** A payment in the bank's own book. */
export interface BookedPayment {
  readonly paymentId: string;
  readonly filePaymentId: string;
  /** the TPP's words for it */
  readonly name: string;
  readonly identification: string;
  readonly pence: bigint;
  readonly status: string;
  /** when the bank took it, once and for all: what reaches it later changes nothing */
  readonly acceptedAt: number;
}

/** An account at the bank. */
export interface Account {
  readonly identification: string;
  readonly openingPence: bigint;
  readonly balancePence: bigint;
  readonly reservedPence: bigint;
}

/** What a TPP is answered in the end about one of its payments. */
export interface Answers {
  readonly filePaymentId: string;
  readonly status: unknown;
  readonly consentStatus: unknown;
  /** of payment-details: PaymentId and state of each */
  readonly details: readonly (readonly [string, string])[];
  /** of the report file, where there is one: the same, with amounts */
  readonly report: readonly (readonly [string, string, string])[];
  readonly number: unknown;
  readonly sum: unknown;
}

/** Everything that is known when all is over, from all sides. */
export interface Ledger {
  readonly acknowledged: readonly AcknowledgedPayment[];
  readonly stored: readonly StoredOrder[];
  readonly book: readonly BookedPayment[];
  readonly accounts: readonly Account[];
  /** file payments whose money the bank has reserved */
  readonly reserved: ReadonlySet<string>;
  readonly interventions: readonly Intervention[];
  /** none for clients that are gone */
  readonly answers: readonly Answers[];
  readonly sightings: readonly Sighting[];
  /** consents that a customer declined, and the status of them */
  readonly declined: readonly { readonly consentId: string; readonly status: string }[];
  /** what TPPs were refused for no reason that they could know */
  readonly refusals: readonly string[];
  /** a resource's id and its state, as the bank's own systems were told; `changed` where they are told no state */
  readonly news: ReadonlySet<string>;
  /** commands of the operator that check the service, with what they say unless all is well */
  readonly checks: readonly { readonly name: string; readonly fault: string | undefined }[];
}
