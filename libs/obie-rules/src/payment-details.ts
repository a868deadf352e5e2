import type { PostalAddress } from './postal-address.js';

/** Optional details of a payment, beyond payee, amount and reference. */

/** Another name of an account, e.g. a mobile number. */
export interface AccountProxy {
  /** ExternalProxyAccountType1Code, e.g. MBNO */
  readonly code: string;
  readonly identification: string;
  readonly type?: string | undefined;
}

/** The ultimate debtor or creditor, or the bank of the payee. */
export interface Party {
  readonly name?: string | undefined;
  /** what the identification is, e.g. UK.OBIE.BICFI */
  readonly scheme?: string | undefined;
  readonly identification?: string | undefined;
  /** ISO 17442 */
  readonly lei?: string | undefined;
  readonly postalAddress?: PostalAddress | undefined;
}

/** Which documents a payment settles. */
export interface StructuredRemittance {
  readonly documents?: readonly ReferredDocument[] | undefined;
  /** decimal text */
  readonly documentAmount?: string | undefined;
  readonly creditorReference?: CreditorReference | undefined;
  readonly invoicer?: string | undefined;
  readonly invoicee?: string | undefined;
  readonly taxRemittance?: string | undefined;
  readonly additionalInformation?: readonly string[] | undefined;
}

export interface ReferredDocument {
  /** ExternalDocumentType1Code, e.g. CINV */
  readonly code?: string | undefined;
  readonly issuer?: string | undefined;
  readonly number?: string | undefined;
  /** RFC 3339 date-time */
  readonly relatedDate?: string | undefined;
  readonly lineDetails?: readonly string[] | undefined;
}

export interface CreditorReference {
  /** ExternalCreditorReferenceType1Code, e.g. SCOR */
  readonly code?: string | undefined;
  readonly issuer?: string | undefined;
  readonly reference?: string | undefined;
}

/** Regulatory reporting of a payment. */
export interface RegulatoryReport {
  /** whose side it is about: CRED, DEBT or BOTH */
  readonly indicator?: string | undefined;
  readonly authority?: { readonly name?: string | undefined; readonly country?: string | undefined } | undefined;
  readonly details?: readonly RegulatoryDetail[] | undefined;
}

export interface RegulatoryDetail {
  readonly type?: string | undefined;
  /** RFC 3339 date-time */
  readonly date?: string | undefined;
  readonly country?: string | undefined;
  /** decimal text */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly information?: readonly string[] | undefined;
}

/** Details that only newer formats have. */
export interface PaymentDetails {
  /** the bank of the payee */
  readonly payeeAgent?: Party | undefined;
  /** the ultimate creditor */
  readonly ultimatePayee?: Party | undefined;
  /** the ultimate debtor */
  readonly ultimatePayer?: Party | undefined;
  readonly structuredRemittance?: readonly StructuredRemittance[] | undefined;
  readonly regulatoryReporting?: readonly RegulatoryReport[] | undefined;
}
