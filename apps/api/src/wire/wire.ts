import type { AccessConsent, AccessKind, AccessTerms } from '#libs/access-consent';
import type { FilePaymentConsent, NewFilePaymentConsent } from '#libs/consent';
import type { Fault, FaultCode } from '#libs/error-catalogue';
import type { ErrorBodyWriter, ObErrorStatus } from '#libs/error-envelope';
import type {
  Contradiction,
  FilePayment,
  FilePaymentReport,
  PaymentEntity,
  PaymentFileEntity,
  RequestedFilePayment,
} from '#libs/file-payment';
import type { DetachedJwsForm } from '#libs/jws';
import type { ConsentStatus, FilePaymentStatus, PaymentStatus } from '#libs/obie-rules';

/** Everything that is wrong with a body. */
export interface Refused {
  readonly faults: readonly Fault[];
}

/** Where the approvals of a file payment are that needs several. */
export type ApprovalStatus = 'AwaitingFurtherAuthorisation' | 'Authorised' | 'Rejected';

export type ResourceStatus = ConsentStatus | FilePaymentStatus | PaymentStatus | ApprovalStatus;

/** What is told of one operation in the API document of the version. */
export type OperationDocument = () => MethodDecorator;

/** What of an answer is a setting of the bank. */
export interface ShownMembers {
  /** the account that pays, once it is known */
  readonly isDebtorShown: boolean;
}

/** How an area presents itself in its API document. */
export interface AreaDocument {
  /** of its files */
  readonly name: string;
  readonly title: string;
  /** of the standard, e.g. 4.0.1 */
  readonly edition: string;
  /** what it is for, and the steps of its use; Markdown */
  readonly description: string;
  /** what the operations of each tag are for */
  readonly tags: Readonly<Record<string, string>>;
}

/** One area of one version of the Read/Write API: where it is, and how it tells what is wrong. */
export interface WireArea {
  readonly version: string;
  readonly document: AreaDocument;
  /** as the regulator asks about it */
  readonly area: 'payment initiation' | 'account information' | 'funds confirmation';
  /** path below which its resources are, without slashes at the ends */
  readonly prefix: string;
  /** what it tells in another way than by 400: an idempotency key that was used with another body, one of a request that is still under way, what is there already */
  readonly refusals: Partial<
    Record<
      'IdempotencyKeyReused' | 'IdempotencyKeyInUse' | 'AlreadyThere',
      { readonly status: ObErrorStatus; readonly code: FaultCode }
    >
  >;
  /** @returns the path in bodies of what a fault is about */
  readonly pathOf: (subject: Contradiction['term'] | 'consent' | 'consentStatus' | 'initiation') => string;
  readonly errorBody: ErrorBodyWriter;
  /** whether answers tell the client its id, and how much more it may ask (RateLimit, RateLimit-Policy) */
  readonly areLimitsTold: boolean;
  /** whether requests with a body are signed, and answers with one */
  readonly isSigned: boolean;
  /** the one form of signatures that it takes and makes, where it has no choice; then a setting that lets faulty ones pass does not count */
  readonly signatureForm?: DetachedJwsForm;
}

/** One version of the Read/Write API for file payments: how it says what the rest of the service knows in words of its own. */
export interface Wire extends WireArea {
  /** versions of which it shows file payments: its own, and older ones */
  readonly shown: readonly string[];
  /** Data.Initiation.FileType of its consents */
  readonly fileType: string;
  /** what the names of its operations begin with where idempotency keys are kept: a key of one version is none of another */
  readonly keySpace: string;
  readonly read: {
    /** @param document JSON object of the body */
    readonly consent: (
      document: Record<string, unknown>,
      now: Date,
    ) => { readonly consent: Omit<NewFilePaymentConsent, 'apiVersion'> } | Refused;
    readonly filePayment: (
      document: Record<string, unknown>,
    ) => { readonly filePayment: Omit<RequestedFilePayment, 'apiVersion'> } | Refused;
  };
  /** Bodies of answers; `self` is the absolute address of what is shown. */
  readonly write: {
    readonly consent: (consent: FilePaymentConsent, self: string, shown: ShownMembers) => object;
    readonly file: (file: PaymentFileEntity) => object;
    readonly filePayment: (filePayment: FilePayment, self: string, shown: ShownMembers) => object;
    readonly paymentDetails: (payments: readonly PaymentEntity[], self: string) => object;
    readonly reportFile: (report: FilePaymentReport, self: string) => object;
  };
  readonly stateName: (status: ResourceStatus) => string;
  readonly documents: {
    readonly createConsent: OperationDocument;
    readonly readConsent: OperationDocument;
    readonly uploadFile: OperationDocument;
    readonly readFile: OperationDocument;
    readonly createPayment: OperationDocument;
    readonly readPayment: OperationDocument;
    readonly readPaymentDetails: OperationDocument;
    readonly readReportFile: OperationDocument;
  };
}

/** One version of the Read/Write API for consents to access that lasts. Nothing in it is signed, and no key makes a request count once. */
export interface AccessWire extends WireArea {
  readonly kind: AccessKind;
  /** @param document JSON object of the body */
  readonly read: (document: Record<string, unknown>, now: Date) => { readonly terms: AccessTerms } | Refused;
  /** @param self absolute address of the consent */
  readonly write: (consent: AccessConsent, self: string) => object;
  readonly documents: Readonly<Record<'create' | 'read' | 'delete', OperationDocument>>;
}

/** Whether an amount is available. */
export interface FundsQuestion {
  readonly consentId: string;
  /** of the TPP, for its payment */
  readonly reference: string;
  /** decimal text as it was sent */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
}

export interface FundsConfirmation extends FundsQuestion {
  readonly fundsConfirmationId: string;
  readonly createdAt: Date;
  readonly isAvailable: boolean;
}

/** As above, for funds confirmation: the questions that a consent is for. */
export interface FundsConfirmationWire extends AccessWire {
  readonly confirmations: {
    /** @param document JSON object of the body */
    readonly read: (document: Record<string, unknown>) => { readonly question: FundsQuestion } | Refused;
    /** @param self absolute address of the answer */
    readonly write: (confirmation: FundsConfirmation, self: string) => object;
    readonly document: OperationDocument;
  };
}
