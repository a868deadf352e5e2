import { creditorReferenceCodes, documentCodes } from '#libs/obie-rules';
import {
  ObAmountOrInteger,
  ObDateTime,
  ObElsewhere,
  ObEnum,
  ObObject,
  ObObjects,
  ObText,
  ObTexts,
} from '../../../form/rules.js';
import { Optional } from '../../../form/rules.js';

/** A document to pay. */
class OBReferredDocumentInformation {
  @Optional({ example: 'CINV' })
  @ObEnum(documentCodes)
  Code?: string;

  @Optional()
  @ObText(35)
  Issuer?: string;

  @Optional({ example: 'INV-2030-17' })
  @ObText(35)
  Number?: string;

  @Optional()
  @ObDateTime()
  RelatedDate?: string;

  @Optional()
  @ObTexts(2048)
  LineDetails?: string[];
}

/** A reference of the payee. */
class OBCreditorReferenceInformation {
  @Optional({ example: 'SCOR' })
  @ObEnum(creditorReferenceCodes)
  Code?: string;

  @Optional()
  @ObText(35)
  Issuer?: string;

  @Optional({ example: 'JAN-SALARY' })
  @ObText(35)
  Reference?: string;
}

/** Structured remittance information. */
class OBRemittanceInformationStructured {
  @Optional()
  @ObObjects(() => OBReferredDocumentInformation)
  ReferredDocumentInformation?: OBReferredDocumentInformation[];

  // A whole number in 4.0; an amount according to the changelog of 4.0.1.
  @Optional({ example: '25.00' })
  @ObAmountOrInteger()
  ReferredDocumentAmount?: unknown;

  @Optional()
  @ObObject(() => OBCreditorReferenceInformation)
  CreditorReferenceInformation?: OBCreditorReferenceInformation;

  @Optional()
  @ObText(256)
  Invoicer?: string;

  @Optional()
  @ObText(256)
  Invoicee?: string;

  @Optional()
  @ObText(140)
  TaxRemittance?: string;

  @Optional()
  @ObTexts(140, { atMost: 3 })
  AdditionalRemittanceInformation?: string[];
}

/** What payments are for. `Reference`, as in v3.1, is refused: use Structured. */
export class OBRemittanceInformation2 {
  @Optional()
  @ObObjects(() => OBRemittanceInformationStructured)
  Structured?: OBRemittanceInformationStructured[];

  @Optional({ example: ['Salaries of January'] })
  @ObTexts(140)
  Unstructured?: string[];
  @ObElsewhere('Structured[].CreditorReferenceInformation.Reference')
  Reference?: never;
}
