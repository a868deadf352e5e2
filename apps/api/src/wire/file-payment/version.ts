import type { Authorisation, PaymentConsent, Initiation, ScaSupportData } from '#libs/consent';
import type { FilePayment, PaymentEntity } from '#libs/payment-order';
import type { AreaDocument, ResourceStatus, Wire } from '../wire.js';
import type { DocumentText } from './documents/document-text.js';

/** Classes of a version's request bodies. */
export interface FilePaymentForms {
  readonly consent: new () => {
    readonly Data: {
      readonly Initiation: Initiation;
      readonly Authorisation?: Authorisation;
      readonly SCASupportData?: ScaSupportData;
    };
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

/** How a version writes consents, file payments and their payments. */
export interface FilePaymentWords {
  readonly stateName: (status: ResourceStatus) => string;
  /** the reason for the consent's status, in versions that have one */
  readonly reasonsOfConsent?: (consent: PaymentConsent) => readonly StatusReason[];
  /** likewise of a file payment */
  readonly reasonsOfPayment?: (filePayment: FilePayment) => readonly StatusReason[];
  /** the scheme's status of a payment, if any */
  readonly statusDetail: (payment: PaymentEntity) => object | undefined;
  /** Data.Initiation of a consent, of any version that this one shows */
  readonly initiation: (initiation: Initiation) => object;
  /** a payment of the report file, with its PaymentId */
  readonly reportedPayment: (payment: Readonly<Record<string, unknown>>) => object;
}

/** One version of file payments. */
export interface FilePaymentVersion extends Omit<
  Wire,
  'area' | 'document' | 'documents' | 'isClosed' | 'isSigned' | 'pathOf' | 'read' | 'stateName' | 'write'
> {
  readonly document: Pick<AreaDocument, 'name' | 'title' | 'edition'>;
  readonly forms: FilePaymentForms;
  readonly words: FilePaymentWords;
  readonly text: DocumentText;
}
