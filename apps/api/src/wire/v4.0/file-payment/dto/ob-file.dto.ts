import { DebtorAccountMembers, initiationOf } from '../../../file-payment/dto/initiation.js';
import { ObAnyObject, ObObject, Optional } from '../../../form/rules.js';
import { example40 } from '../example.js';
import { OBCreditorAgent, OBProxy1, OBUltimateDebtor1 } from './ob-parties.dto.js';
import { OBRemittanceInformation2 } from './ob-remittance-information2.dto.js';

/** Account to be debited. */
class OBCashAccountDebtor4 extends DebtorAccountMembers {
  @Optional({
    description: 'Proxy for the account. Stored and displayed; the members above identify the account.',
  })
  @ObObject(() => OBProxy1)
  Proxy?: OBProxy1;
}

/** Data.Initiation of consent and payment: a file of 4.0 holds the payments of 4.0. */
export class OBFile2 extends initiationOf('4.0', example40.initiation) {
  @Optional({ description: "The payees' bank, of every payment; the file names it likewise, or not at all." })
  @ObObject(() => OBCreditorAgent)
  CreditorAgent?: OBCreditorAgent;

  @Optional({ description: 'Account to pay from. Left out, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor4)
  DebtorAccount?: OBCashAccountDebtor4;

  @Optional({
    description: 'For whom the account is debited, of every payment; the file names them likewise, or not at all.',
  })
  @ObObject(() => OBUltimateDebtor1)
  UltimateDebtor?: OBUltimateDebtor1;

  @Optional({ description: 'What the payments are for that do not say so themselves.' })
  @ObObject(() => OBRemittanceInformation2)
  RemittanceInformation?: OBRemittanceInformation2;

  @Optional({ description: 'Members of your own; kept and returned.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
