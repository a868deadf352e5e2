import { DebtorAccountMembers, initiationOf } from '../../../file-payment/dto/initiation.js';
import { Closed } from '../../../form/members.js';
import { ObAnyObject, ObObject, Optional } from '../../../form/rules.js';
import { example40 } from '../example.js';
import { OBCreditorAgent, OBProxy1, OBRemittanceInformation2, OBUltimateDebtor1 } from './ob-parties.dto.js';

/** Account to debit. */
@Closed()
class OBCashAccountDebtor4 extends DebtorAccountMembers {
  @Optional({
    description: 'Proxy for the account. Stored and displayed; the members above identify the account.',
  })
  @ObObject(() => OBProxy1)
  Proxy?: object;
}

/** Data.Initiation of consent and payment: a 4.0 file contains 4.0 payments. */
@Closed()
export class OBFile2 extends initiationOf('4.0', example40.initiation) {
  @Optional({ description: "The payees' bank for all payments. Payments in the file name the same bank or none." })
  @ObObject(() => OBCreditorAgent)
  CreditorAgent?: object;

  @Optional({ description: 'Account to pay from. If absent, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor4)
  DebtorAccount?: OBCashAccountDebtor4;

  @Optional({
    description: 'The party on whose behalf all payments are made. Payments in the file name the same party or none.',
  })
  @ObObject(() => OBUltimateDebtor1)
  UltimateDebtor?: object;

  @Optional({
    description:
      'The purpose of all payments. Payments in the file state the same or none. `Reference`, as in v3.1, is ' +
      'refused: use `Structured`.',
  })
  @ObObject(() => OBRemittanceInformation2)
  RemittanceInformation?: object;

  @Optional({ description: 'Any members of your own. Stored and returned unchanged.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
