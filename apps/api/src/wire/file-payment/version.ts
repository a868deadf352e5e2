import type { Authorisation, FilePaymentConsent, Initiation, ScaSupportData } from '#libs/consent';
import type { FilePayment, PaymentEntity } from '#libs/file-payment';
import type { AreaDocument, ResourceStatus, Wire } from '../wire.js';
import type { DocumentText } from './documents/document-text.js';

/** Classes of the bodies that a version takes. */
export interface FilePaymentForms {
  readonly consent: new () => {
    readonly Data: {
      readonly Initiation: Initiation;
      readonly Authorisation?: Authorisation;
      readonly SCASupportData?: ScaSupportData;
    };
  };
  readonly payment: new () => { readonly Data: { readonly ConsentId: string; readonly Initiation: Initiation } };
  /** whether a member that they do not know is a fault */
  readonly isClosed: boolean;
}

/** An entry of StatusReason. */
export interface StatusReason {
  readonly StatusReasonCode: string;
  readonly StatusReasonDescription: string;
}

/** How a version says what a consent, a file payment and its payments are. */
export interface FilePaymentWords {
  readonly stateName: (status: ResourceStatus) => string;
  /** why the consent is where it is, in versions that say so */
  readonly reasonsOfConsent?: (consent: FilePaymentConsent) => readonly StatusReason[];
  /** likewise of a file payment */
  readonly reasonsOfPayment?: (filePayment: FilePayment) => readonly StatusReason[];
  /** what the scheme says of a payment; undefined for nothing */
  readonly statusDetail: (payment: PaymentEntity) => object | undefined;
  /** Data.Initiation of a consent of one of the versions that are shown */
  readonly initiation: (initiation: Initiation) => object;
  /** a payment of the file, with its PaymentId, as the report file shows it */
  readonly reportedPayment: (payment: Readonly<Record<string, unknown>>) => object;
}

/** What makes one version of file payments. */
export interface FilePaymentVersion extends Omit<
  Wire,
  'area' | 'document' | 'documents' | 'isSigned' | 'pathOf' | 'read' | 'stateName' | 'write'
> {
  readonly document: Pick<AreaDocument, 'name' | 'title' | 'edition'>;
  readonly forms: FilePaymentForms;
  readonly words: FilePaymentWords;
  readonly text: DocumentText;
}
