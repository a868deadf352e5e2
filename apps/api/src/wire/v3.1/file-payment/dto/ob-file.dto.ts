import { Closed } from '../../../form/members.js';
import { ObAnyObject, ObObject, Optional, ObText } from '../../../form/rules.js';
import { DebtorAccountMembers, initiationOf } from '../../../file-payment/dto/initiation.js';
import { example31 } from '../example.js';

/** Account to debit. Its Name may have 350 characters as in 3.1.11 (70 in 3.1.2). */
class OBCashAccountDebtor extends DebtorAccountMembers {}

/** RemittanceInformation of the file. */
@Closed()
export class OBRemittanceInformation1 {
  @Optional({ description: 'Free text.', example: 'Salaries of January' })
  @ObText(140)
  Unstructured?: string;

  @Optional({ description: 'Reference for the payee.', example: 'PAYROLL-01' })
  @ObText(35)
  Reference?: string;
}

/**
 * Data.Initiation of consent and payment. Its FileType is the exact literal of the 3.1 schemas. Their documentation
 * pages print that of v4.0, whose payments have other members (`Structured`, UltimateDebtor, CreditorAgent): they would
 * be lost.
 */
export class OBFile2 extends initiationOf('3.1', example31.initiation) {
  @Optional({ description: 'Account to pay from. If absent, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor)
  DebtorAccount?: OBCashAccountDebtor;

  @Optional({ description: 'The purpose of the payments.' })
  @ObObject(() => OBRemittanceInformation1)
  RemittanceInformation?: OBRemittanceInformation1;

  @Optional({ description: 'Any members of your own. Stored and returned unchanged.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
