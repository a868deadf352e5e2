import type { ClientFilter, ClientRule } from '#libs/client-registration';
import type { FinalPaymentStatus, StopTarget } from '#libs/payment-order';
import type { Mandate } from './client-operations.service.js';
import type { StatisticsRequest } from './statistics/read-statistics.js';

/** A change with its reason. */
export type ReasonedMandate = Mandate & { readonly reason: string };

/** Changes of a client, with their help texts; its rules have commands of their own. */
export const clientChanges = {
  suspend: 'refuse all requests of a client from now on, on every instance',
  resume: 'restore a client, with whatever has not expired',
  remove: 'delete a client for good; only a record remains',
  'rotate-secret': 'print a new secret once; the old one stops working immediately',
} as const;

export type ClientChange = keyof typeof clientChanges;

/** A change of a rule that the bank sets for a client; `value` where the rule has a choice. */
export interface RuleCommand {
  readonly name: ClientRule;
  readonly clientId: string;
  readonly value?: string;
  readonly mandate: Mandate;
}

/** What is stopped or resumed, and by whom. */
export interface StopOrder {
  readonly target: StopTarget;
  readonly mandate: ReasonedMandate;
}

/** Operations on payment orders. */
export type PaymentCommand =
  | { name: 'held' | 'stops' | 'stopped' | 'requests' }
  | { name: 'retry'; filePaymentId: string; mandate: Mandate }
  | { name: 'reject'; filePaymentId: string; mandate: Mandate; isWithoutBank: boolean }
  | { name: 'conclude'; paymentId: string; status: FinalPaymentStatus; mandate: Mandate }
  | ({ name: 'stop' | 'continue' } & StopOrder)
  | { name: 'confirm'; requestId: string; mandate: Mandate };

/** What a customer has agreed to. */
export type ConsentCommand =
  | { name: 'consents'; psuId: string }
  | { name: 'end-access'; psuId: string; consentId: string; mandate: ReasonedMandate };

/** A comparison, or what to do with its outcome. */
export type ReconciliationCommand =
  /** since a moment, or for this many days by the database's clock */
  | { name: 'reconcile'; since: Date | number }
  | { name: 'reconcile'; filePaymentId: string }
  | { name: 'reconcile'; listed: string }
  | { name: 'differences' }
  | { name: 'acknowledge'; id: string; mandate: ReasonedMandate };

/** The audit trail, read without the service's keys, because an auditor has none. */
export type AuditCommand =
  | { name: 'audit-export'; file: string }
  | { name: 'audit-verify'; keys: string; file?: string | undefined; head?: AuditHead | undefined };

/** A seal that somebody noted earlier. */
export interface AuditHead {
  readonly number: number;
  readonly hash: string;
}

/** A command of the user. */
export type ServiceCommand =
  | { name: 'list'; filter: ClientFilter }
  | { name: 'show' | 'history'; clientId: string }
  | { name: ClientChange; clientId: string; mandate: Mandate }
  | RuleCommand
  | PaymentCommand
  | ConsentCommand
  | ReconciliationCommand
  | { name: 're-encrypt' | 'retry-events'; mandate: Mandate };

/** The figures of the regulator, which only Prometheus has. */
export type StatisticsCommand = { name: 'statistics'; csv: 'areas' | 'endpoints' | undefined } & StatisticsRequest;

export type Command = ServiceCommand | AuditCommand | StatisticsCommand;

/** What is written to standard output. */
export type OutputFormat = 'json' | 'table';

/** A command line: something to do, or only the help. */
export type CommandLine = { command: Command; format: OutputFormat; envFile?: string | undefined } | { help: string };

export interface Given {
  readonly found: (command: Command) => void;
  readonly mandate: () => Mandate;
  readonly reasoned: () => ReasonedMandate;
}
