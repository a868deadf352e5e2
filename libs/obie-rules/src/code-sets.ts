// Code sets of v4.0.1 (OBIE External and Internal Code Sets), as far as a file of payments uses them.

const words = (text: string): readonly string[] => text.split(' ');

/** OBAddressType2Code: the codes of ISO 20022, each with the word of earlier versions. */
export const addressTypes40: Readonly<Record<string, string>> = {
  BIZZ: 'Business',
  DLVY: 'DeliveryTo',
  MLTO: 'MailTo',
  PBOX: 'POBox',
  ADDR: 'Postal',
  HOME: 'Residential',
  CORR: 'Correspondence',
  STAT: 'Statement',
};

/** OBAddressType2Code. */
export const addressTypes: readonly string[] = Object.keys(addressTypes40);

/** OBInternalFinancialInstitutionIdentification4Code. */
export const agentSchemes = words('UK.OBIE.BICFI');

/** OBInternalAccountIdentification4Code. */
export const partySchemes = words(
  'UK.OBIE.BBAN UK.OBIE.IBAN UK.OBIE.PAN UK.OBIE.Paym UK.OBIE.SortCodeAccountNumber UK.OBIE.Wallet',
);

/** ExternalProxyAccountType1Code. */
export const proxyCodes = words(
  'TELE EMAL DNAM CINC COTX COID CUST DRLC EIDN EWAL PVTX LEIC MBNO NIDN CCPT SHID SOSE TOKN UBIL VIPN BIID',
);

/** ExternalDocumentType1Code. */
export const documentCodes = words('CINV CNFA CONT CREN DEBN DISP DNFA HIRI INVS MSIN PROF PUOR QUOT SBIN SPRR TISH');

/** ExternalCreditorReferenceType1Code. */
export const creditorReferenceCodes = words('DISP FXDR PUOR RPIN RADM SCOR');

/**
 * ISO 17442: 18 capital letters and digits, two check digits. The form of v4.0.1: that of v4.0 refuses most of those in
 * use.
 */
export const leiForm = /^[A-Z0-9]{18}[0-9]{2}$/;
