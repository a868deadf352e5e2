import { localInstruments } from '#libs/obie-rules';
import { Closed } from '../../../form/members.js';
import { ObAnyObject, ObDateTime, ObEnum, ObMatch, ObObject, ObObjects, ObText, ObTexts } from '../../../form/rules.js';
import { Optional, Required } from '../../../form/rules.js';
import { OBCreditorAgent, OBPostalAddress7, OBProxy1, OBUltimateDebtor1 } from './ob-parties.dto.js';
import { OBRemittanceInformation2 } from './ob-remittance-information2.dto.js';

// libs/file-payment has the rules of a file and reads 150 payments without a class for each. These classes describe the
// same rules to the API document, and list the members that the report file shows.

/** An amount of money. */
@Closed()
class OBAmount {
  @Required({ description: 'Above zero, in whole pence.', example: '120.50' })
  @ObMatch(/^[0-9]{1,13}([.][0-9]{1,5})?$/, 'must be an amount')
  Amount!: string;

  @Required({ description: 'GBP.', example: 'GBP' })
  @ObMatch(/^[A-Z]{3}$/, 'must be a currency')
  Currency!: string;
}

@Closed()
class OBFileDebtorAccount {
  @Required({ example: 'UK.OBIE.SortCodeAccountNumber' })
  @ObText(40)
  SchemeName!: string;

  @Required({ example: '20000110000001' })
  @ObText(256)
  Identification!: string;

  @Optional({ example: 'Octon Ltd' })
  @ObText(350)
  Name?: string;

  @Optional({ example: 'A-123' })
  @ObText(34)
  SecondaryIdentification?: string;

  @Optional()
  @ObObject(() => OBProxy1)
  Proxy?: OBProxy1;
}

@Closed()
class OBFileCreditorAccount extends OBFileDebtorAccount {
  @Required({ description: 'Name of the payee.', example: 'A Supplier Ltd' })
  @ObText(350)
  declare Name: string;
}

/** The final recipient of the money. */
class OBUltimateCreditor1 extends OBUltimateDebtor1 {}

class OBRegulatoryAuthority {
  @Optional()
  @ObText(140)
  Name?: string;

  @Optional()
  @ObMatch(/^[A-Z]{2}$/, 'must be two capital letters')
  CountryCode?: string;
}

class OBRegulatoryDetail {
  @Optional()
  @ObText(35)
  Type?: string;

  @Optional()
  @ObDateTime()
  Date?: string;

  @Optional()
  @ObMatch(/^[A-Z]{2}$/, 'must be two capital letters')
  Country?: string;

  @Optional()
  @ObObject(() => OBAmount)
  Amount?: OBAmount;

  @Optional()
  @ObTexts(35)
  Information?: string[];
}

/** Information for an authority. */
class OBRegulatoryReporting1 {
  @Optional()
  @ObEnum(['CRED', 'DEBT', 'BOTH'])
  DebitCreditReportingIndicator?: string;

  @Optional()
  @ObObject(() => OBRegulatoryAuthority)
  Authority?: OBRegulatoryAuthority;

  @Optional()
  @ObObjects(() => OBRegulatoryDetail)
  Details?: OBRegulatoryDetail[];
}

/** One payment of a file. */
@Closed()
export class OBDomestic2 {
  @Required({ description: 'Your id of the instruction.', example: 'PAYROLL-1' })
  @ObText(35)
  InstructionIdentification!: string;

  @Required({ description: 'Passed on unchanged to the payee.', example: 'SALARY-0001' })
  @ObText(35)
  EndToEndIdentification!: string;

  @Optional({ description: 'The same for all payments of the file and as in the consent.' })
  @ObEnum(localInstruments)
  LocalInstrument?: string;

  @Required()
  @ObObject(() => OBAmount)
  InstructedAmount!: OBAmount;

  @Optional({ description: 'The same for all payments and as in the consent.' })
  @ObObject(() => OBFileDebtorAccount)
  DebtorAccount?: OBFileDebtorAccount;

  @Required()
  @ObObject(() => OBFileCreditorAccount)
  CreditorAccount!: OBFileCreditorAccount;

  @Optional()
  @ObObject(() => OBCreditorAgent)
  CreditorAgent?: OBCreditorAgent;

  @Optional()
  @ObObject(() => OBPostalAddress7)
  CreditorPostalAddress?: OBPostalAddress7;

  @Optional()
  @ObObject(() => OBUltimateCreditor1)
  UltimateCreditor?: OBUltimateCreditor1;

  @Optional()
  @ObObject(() => OBUltimateDebtor1)
  UltimateDebtor?: OBUltimateDebtor1;

  @Optional()
  @ObObjects(() => OBRegulatoryReporting1, { atMost: 10 })
  RegulatoryReporting?: OBRegulatoryReporting1[];

  @Optional()
  @ObObject(() => OBRemittanceInformation2)
  RemittanceInformation?: OBRemittanceInformation2;

  @Optional({ description: 'Members of your own.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}

/** A payment of the report. In a 3.1 file it may name a day; in 4.0 the consent does. */
export class OBReportedDomestic2 extends OBDomestic2 {
  @Optional({ description: 'Day of execution; only in 3.1 files.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  RequestedExecutionDateTime?: string;
}
