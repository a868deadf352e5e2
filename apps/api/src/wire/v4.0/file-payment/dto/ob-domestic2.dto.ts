import { amountOfMoney, localInstruments, regulatoryReport, ultimateCreditor } from '#libs/obie-rules';
import { Closed } from '../../../form/members.js';
import {
  ObAnyObject,
  ObDateTime,
  ObEnum,
  ObObject,
  ObObjects,
  ObText,
  Optional,
  Required,
} from '../../../form/rules.js';
import {
  classOf,
  OBCreditorAgent,
  OBPostalAddress7,
  OBProxy1,
  OBRemittanceInformation2,
  OBUltimateDebtor1,
} from './ob-parties.dto.js';

// libs/file-payment has the rules of a file and reads 150 payments without a class for each. These classes describe the
// same rules to the API document, and list the members that the report file shows.

const OBAmount = classOf(amountOfMoney);
const OBUltimateCreditor1 = classOf(ultimateCreditor);
const OBRegulatoryReporting1 = classOf(regulatoryReport);

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
  Proxy?: object;
}

@Closed()
class OBFileCreditorAccount extends OBFileDebtorAccount {
  @Required({ description: 'Name of the payee.', example: 'A Supplier Ltd' })
  @ObText(350)
  declare Name: string;
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
  InstructedAmount!: object;

  @Optional({ description: 'The same for all payments and as in the consent.' })
  @ObObject(() => OBFileDebtorAccount)
  DebtorAccount?: OBFileDebtorAccount;

  @Required()
  @ObObject(() => OBFileCreditorAccount)
  CreditorAccount!: OBFileCreditorAccount;

  @Optional()
  @ObObject(() => OBCreditorAgent)
  CreditorAgent?: object;

  @Optional()
  @ObObject(() => OBPostalAddress7)
  CreditorPostalAddress?: OBPostalAddress7;

  @Optional()
  @ObObject(() => OBUltimateCreditor1)
  UltimateCreditor?: object;

  @Optional()
  @ObObject(() => OBUltimateDebtor1)
  UltimateDebtor?: object;

  @Optional()
  @ObObjects(() => OBRegulatoryReporting1, { atMost: 10 })
  RegulatoryReporting?: object[];

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
