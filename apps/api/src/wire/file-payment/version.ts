import type { PaymentConsent, Initiation } from '#libs/consent';
import type { Conditions } from '#libs/obie-rules';
import type { FilePayment, PaymentEntity } from '#libs/payment-order';
import type { AreaDocument, PaymentWire, ResourceStatus } from '../wire.js';
import type { DocumentText } from './documents/document-text.js';

/** Classes of a version's request bodies. */
export interface FilePaymentForms {
  readonly consent: new () => {
    readonly Data: Conditions & { readonly Initiation: Initiation };
  };
  readonly payment: new () => { readonly Data: { readonly ConsentId: string; readonly Initiation: Initiation } };
  /** whether an unknown member of a closed object is a fault */
  readonly isClosed: boolean;
}

/** An entry of StatusReason. */
export interface StatusReason {
  readonly StatusReasonCode: string;
  readonly StatusReasonDescription: string;
}

/** How a version writes consents and payments of a kind that pays. `Sent`: what it sends as Data.Initiation. */
export interface PaymentWords<Sent extends object> {
  readonly stateName: (status: ResourceStatus) => string;
  /** the reason for the consent's status, in versions that have one */
  readonly reasonsOfConsent?: (consent: PaymentConsent<Sent>) => readonly StatusReason[];
  /** the same of a payment */
  readonly reasonsOfPayment?: (payment: FilePayment<Sent>) => readonly StatusReason[];
  /** the scheme's status of a payment, if any */
  readonly statusDetail: (payment: Pick<PaymentEntity, 'status' | 'statusDetail'>) => object | undefined;
  /** Data.Initiation of a consent, of any version that this one shows */
  readonly initiation: (initiation: Sent) => object;
  /** the state of a payment and its time; default: those of the order */
  readonly stateOfPayment?: (payment: FilePayment<Sent>) => { readonly status: string; readonly at: Date };
}

/** The same for file payments. */
export interface FilePaymentWords extends PaymentWords<Initiation> {
  /** a payment of the report file, with its PaymentId */
  readonly reportedPayment: (payment: Readonly<Record<string, unknown>>) => object;
}

/** One version of a kind that pays. */
export interface PaymentVersion extends Pick<
  PaymentWire,
  'version' | 'prefix' | 'shown' | 'keySpace' | 'refusals' | 'errorBody' | 'signatureForm' | 'areLimitsTold'
> {
  readonly document: Pick<AreaDocument, 'name' | 'title' | 'edition'>;
}

/** One version of file payments. */
export interface FilePaymentVersion extends PaymentVersion, Pick<PaymentWire, 'kind'> {
  readonly forms: FilePaymentForms;
  readonly words: FilePaymentWords;
  readonly text: DocumentText;
}
