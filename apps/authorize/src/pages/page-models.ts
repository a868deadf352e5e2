/** What every page shows around its content. */
export interface PageFrame {
  /** x-fapi-interaction-id: what a PSU can quote to the bank */
  readonly reference: string;
  readonly psuName?: string | undefined;
  /** time of day at which the session ends */
  readonly closesAt?: string | undefined;
}

/** A mistake in a form. The summary links to the field. */
export interface FormProblem {
  readonly fieldId: string;
  readonly text: string;
  readonly code: string;
}

/** What every page of the journey carries: its forms' hidden fields and the way to say no. */
export interface JourneyPage extends PageFrame {
  readonly sessionId: string;
  readonly csrfToken: string;
  readonly declineText: string;
  readonly clientName: string;
  readonly orgName: string;
  readonly problem?: FormProblem | undefined;
}

export interface SignInPage extends JourneyPage {
  readonly isPayment: boolean;
  readonly username: string;
}

export type SecondFactorPage = JourneyPage;

export interface ShownPayment {
  readonly position: number;
  readonly creditorName: string;
  readonly creditorAccount: string;
  readonly reference: string;
  readonly day: string;
  readonly amount: string;
}

export interface ShownAccount {
  /** what the form sends back */
  readonly value: string;
  readonly name: string;
  readonly identification: string;
  readonly available: string;
  readonly notes: readonly string[];
  readonly isChosen: boolean;
}

/** A file of payments as it is shown to whoever decides on it. */
export interface PaymentSummary {
  readonly total: string;
  readonly count: number;
  readonly paymentType: string;
  readonly when: string;
  readonly fileReference?: string | undefined;
  readonly charges: readonly string[];
  readonly payments: readonly ShownPayment[];
  /** whether a payment has a date of its own */
  readonly hasDays: boolean;
  /** base64url SHA-256 of the file: what the approval is bound to */
  readonly fileHash: string;
}

export interface ConsentPage extends JourneyPage, PaymentSummary {
  readonly accounts: readonly ShownAccount[];
  /** where further approvers decide; undefined where no account needs any */
  readonly approvalsAddress?: string | undefined;
}

/** What every page for further approvals carries. */
export interface ApprovalFrame extends PageFrame {
  readonly csrfToken: string;
  readonly problem?: FormProblem | undefined;
}

export interface ApprovalSignInPage extends ApprovalFrame {
  readonly username: string;
}

/** A file payment in the list of those that wait. */
export interface ShownAwaitingPayment {
  readonly address: string;
  readonly total: string;
  readonly count: number;
  readonly clientName: string;
  readonly accountName: string;
  readonly day: string;
}

export interface ApprovalListPage extends ApprovalFrame {
  readonly waiting: readonly ShownAwaitingPayment[];
}

/** An approval that lasts, in words. */
export interface ShownAccess {
  /** names it in the form */
  readonly grant: string;
  readonly clientName: string;
  readonly orgName: string;
  readonly permissions: readonly string[];
  readonly givenOn: string;
  readonly endsOn: string;
  readonly usedOn: string;
  /** when it was ended before its time */
  readonly endedOn?: string | undefined;
}

export interface LastingAccessPage extends ApprovalFrame {
  readonly access: readonly ShownAccess[];
}

export interface PaymentApprovalPage extends ApprovalFrame, PaymentSummary {
  readonly filePaymentId: string;
  readonly clientName: string;
  readonly orgName: string;
  readonly account: { readonly name: string; readonly identification: string };
  readonly approvals: string;
  /** what became of it; undefined while this PSU may decide */
  readonly outcome?: string | undefined;
}

export interface IdentityPage extends JourneyPage {
  readonly permissions: readonly string[];
  /** the last day, where the app may come back without the PSU */
  readonly lastsUntil?: string;
  /** where the PSU ends it before */
  readonly accessAddress?: string;
}

export interface ErrorPage extends PageFrame {
  readonly heading: string;
  readonly text: string;
  readonly code: string;
  /** for the developers of a TPP whose request was refused */
  readonly description?: string | undefined;
}
