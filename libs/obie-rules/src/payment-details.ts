/** What a payment may say beyond payee, amount and reference. Absent is what the file does not say. */

/** The postal address of whoever it stands with. */
export interface PostalAddress {
  /** in the words of OBPostalAddress6, e.g. Business */
  readonly addressType?: string | undefined;
  readonly department?: string | undefined;
  readonly subDepartment?: string | undefined;
  readonly streetName?: string | undefined;
  readonly buildingNumber?: string | undefined;
  readonly postCode?: string | undefined;
  readonly townName?: string | undefined;
  readonly countrySubDivision?: string | undefined;
  readonly country?: string | undefined;
  readonly addressLine?: readonly string[] | undefined;
  readonly careOf?: string | undefined;
  readonly buildingName?: string | undefined;
  readonly floor?: string | undefined;
  readonly unitNumber?: string | undefined;
  readonly room?: string | undefined;
  readonly postBox?: string | undefined;
  readonly townLocationName?: string | undefined;
  readonly districtName?: string | undefined;
}

/** Another name of an account, e.g. a mobile number. */
export interface AccountProxy {
  /** ExternalProxyAccountType1Code, e.g. MBNO */
  readonly code: string;
  readonly identification: string;
  readonly type?: string | undefined;
}

/** Who owes the money or is owed it in the end, or the bank of the payee. */
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

/** What an authority is to be told of a payment. */
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

/** What only newer formats say of a payment. */
export interface PaymentDetails {
  /** the bank of the payee */
  readonly payeeAgent?: Party | undefined;
  /** to whom the money goes in the end */
  readonly ultimatePayee?: Party | undefined;
  /** who owes it */
  readonly ultimatePayer?: Party | undefined;
  readonly structuredRemittance?: readonly StructuredRemittance[] | undefined;
  readonly regulatoryReporting?: readonly RegulatoryReport[] | undefined;
}
