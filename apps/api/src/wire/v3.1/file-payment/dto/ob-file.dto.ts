import { remittanceInformation1 } from '#libs/obie-rules';
import { classOf } from '../../../form/class-of.js';
import { ObAnyObject, ObObject, Optional } from '../../../form/rules.js';
import { DebtorAccountMembers, initiationOf } from '../../../file-payment/dto/initiation.js';
import { example31 } from '../example.js';

/** Account to debit. Its Name may have 350 characters as in 3.1.11 (70 in 3.1.2). */
class OBCashAccountDebtor extends DebtorAccountMembers {}

const OBRemittanceInformation1 = classOf(remittanceInformation1);

/**
 * Data.Initiation of consent and payment. FileType is the exact literal of the 3.1 schemas. Their documentation pages
 * print that of v4.0, whose payments have further members (`Structured`, UltimateDebtor, CreditorAgent), which would be
 * lost.
 */
export class OBFile2 extends initiationOf('3.1', example31.initiation) {
  @Optional({ description: 'Account to pay from. If absent, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor)
  DebtorAccount?: OBCashAccountDebtor;

  @Optional({ description: 'The purpose of the payments.' })
  @ObObject(() => OBRemittanceInformation1)
  RemittanceInformation?: object;

  @Optional({ description: 'Any members of your own. Stored and returned unchanged.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
