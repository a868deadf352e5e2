import type { AccessConsent, AccessKind, AccessTerms } from '#libs/access-consent';
import type { ConsentKind, Initiation, PaymentConsent, NewPaymentConsent } from '#libs/consent';
import type { Fault, FaultCode } from '#libs/error-catalogue';
import type { ErrorBodyWriter, ObErrorStatus } from '#libs/error-envelope';
import type { FilePaymentReport, PaymentFileEntity } from '#libs/file-payment';
import type { FilePayment, PaymentEntity, RequestedOrder } from '#libs/payment-order';
import type { DetachedJwsForm } from '#libs/jws';
import type { BankRules, ConsentStatus, PaymentOrderStatus, PaymentStatus } from '#libs/obie-rules';

/** All faults of a body. */
export interface Refused {
  readonly faults: readonly Fault[];
}

/** The state of the approvals of a file payment that needs several. */
export type ApprovalStatus = 'AwaitingFurtherAuthorisation' | 'Authorised' | 'Rejected';

export type ResourceStatus = ConsentStatus | PaymentOrderStatus | PaymentStatus | ApprovalStatus;

/** Documentation of one operation in a version. */
export type OperationDocument = () => MethodDecorator;

/** The settings of the bank that change an answer. */
export interface ShownMembers {
  /** the account that pays, once it is known */
  readonly isDebtorShown: boolean;
}

/** The introduction of an area's API document. */
export interface AreaDocument {
  /** of its files */
  readonly name: string;
  readonly title: string;
  /** of the standard, e.g. 4.0.1 */
  readonly edition: string;
  /** its purpose and the steps of its use; Markdown */
  readonly description: string;
  /** the purpose of the operations of each tag */
  readonly tags: Readonly<Record<string, string>>;
}

/** One area of one version of the Read/Write API: its address and its errors. */
export interface WireArea {
  readonly version: string;
  readonly document: AreaDocument;
  /** name in availability reports */
  readonly area: 'payment initiation' | 'account information' | 'funds confirmation';
  /** path prefix of its resources, without leading or trailing slash */
  readonly prefix: string;
  /**
   * statuses other than 400: for an idempotency key used with another body, one of a request in progress, and an
   * existing resource
   */
  readonly refusals: Partial<
    Record<
      'IdempotencyKeyReused' | 'IdempotencyKeyInUse' | 'AlreadyThere',
      { readonly status: ObErrorStatus; readonly code: FaultCode }
    >
  >;
  readonly errorBody: ErrorBodyWriter;
  /** whether answers contain the client's id and remaining requests (RateLimit, RateLimit-Policy) */
  readonly areLimitsTold: boolean;
  /** whether an unknown member of an object that the standard closes is a fault */
  readonly isClosed: boolean;
  /** whether requests and answers with a body are signed */
  readonly isSigned: boolean;
  /**
   * the only form of signatures, if the version defines one; the setting that accepts invalid signatures does not apply
   * then
   */
  readonly signatureForm?: DetachedJwsForm;
}

/**
 * One version of the Read/Write API for a kind that pays: translates between its bodies and the neutral types of the
 * service. `Sent`: what its kind sends as Data.Initiation.
 */
export interface PaymentWire<Sent extends object = object> extends WireArea {
  readonly kind: ConsentKind;
  /** name of the id of its payments */
  readonly paymentId: 'FilePaymentId' | 'DomesticPaymentId';
  /** whether only the token of the customer's approval makes its payments; otherwise a setting says so */
  readonly isPaidByCustomer: boolean;
  /** versions whose payments it shows: its own and older ones */
  readonly shown: readonly string[];
  /** prefix of its operations in the store of idempotency keys, because a key belongs to one version */
  readonly keySpace: string;
  readonly read: {
    /** @param document JSON object of the body */
    readonly consent: (
      document: Record<string, unknown>,
      now: Date,
      bank: BankRules,
    ) => { readonly consent: Omit<NewPaymentConsent<Sent>, 'apiVersion'> } | Refused;
    readonly payment: (
      document: Record<string, unknown>,
      now: Date,
    ) => { readonly payment: Omit<RequestedOrder<Sent>, 'apiVersion'> } | Refused;
  };
  /** Bodies of answers; `self` is the absolute address of the resource. */
  readonly write: {
    readonly consent: (consent: PaymentConsent<Sent>, self: string, shown: ShownMembers) => object;
    readonly payment: (payment: FilePayment<Sent>, self: string, shown: ShownMembers) => object;
    readonly paymentDetails: (
      found: FilePayment<Sent> & { readonly payments: readonly PaymentEntity[] },
      self: string,
    ) => object;
  };
  readonly stateName: (status: ResourceStatus) => string;
  readonly documents: Readonly<
    Record<'createConsent' | 'readConsent' | 'createPayment' | 'readPayment' | 'readPaymentDetails', OperationDocument>
  >;
}

/** As above, for file payments. */
export interface Wire extends PaymentWire<Initiation> {
  /** Data.Initiation.FileType of its consents */
  readonly fileType: string;
  readonly write: PaymentWire<Initiation>['write'] & {
    readonly file: (file: PaymentFileEntity) => object;
    readonly reportFile: (report: FilePaymentReport, self: string) => object;
  };
  readonly documents: PaymentWire['documents'] &
    Readonly<Record<'uploadFile' | 'readFile' | 'readReportFile', OperationDocument>>;
}

/** The part of Data.Initiation that a confirmation of funds needs. */
export interface DomesticInitiation {
  readonly InstructedAmount: { readonly Amount: string; readonly Currency: string };
}

/** As above, for single domestic payments. */
export interface DomesticWire extends PaymentWire<DomesticInitiation> {
  readonly write: PaymentWire<DomesticInitiation>['write'] & {
    readonly funds: (answer: { readonly isAvailable: boolean; readonly at: Date }, self: string) => object;
  };
  readonly documents: PaymentWire['documents'] & { readonly confirmFunds: OperationDocument };
}

/** One version of the Read/Write API for access consents: no signatures, no idempotency keys. */
export interface AccessWire extends WireArea {
  readonly kind: AccessKind;
  /** @param document JSON object of the body */
  readonly read: (document: Record<string, unknown>, now: Date) => { readonly terms: AccessTerms } | Refused;
  /** @param self absolute address of the consent */
  readonly write: (consent: AccessConsent, self: string) => object;
  readonly documents: Readonly<Record<'create' | 'read' | 'delete', OperationDocument>>;
}

/** The question whether an amount is available. */
export interface FundsQuestion {
  readonly consentId: string;
  /** of the TPP, for its payment */
  readonly reference: string;
  /** decimal text as sent */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
}

export interface FundsConfirmation extends FundsQuestion {
  readonly fundsConfirmationId: string;
  readonly createdAt: Date;
  readonly isAvailable: boolean;
}

/** As above, for funds confirmations. */
export interface FundsConfirmationWire extends AccessWire {
  readonly confirmations: {
    /** @param document JSON object of the body */
    readonly read: (document: Record<string, unknown>) => { readonly question: FundsQuestion } | Refused;
    /** @param self absolute address of the answer */
    readonly write: (confirmation: FundsConfirmation, self: string) => object;
    readonly document: OperationDocument;
  };
}
