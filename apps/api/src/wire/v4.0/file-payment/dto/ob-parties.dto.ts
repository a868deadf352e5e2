import { creditorAgent, proxy, remittanceInformation2, ultimateDebtor } from '#libs/obie-rules';
import { classOf } from '../../../form/class-of.js';
import { ObElsewhere } from '../../../form/rules.js';

export const OBProxy1 = classOf(proxy);
export const OBCreditorAgent = classOf(creditorAgent);
export const OBUltimateDebtor1 = classOf(ultimateDebtor);

/** What payments are for. `Reference`, as in v3.1, is refused: use Structured. */
export const OBRemittanceInformation2 = classOf(remittanceInformation2);
const place = 'Structured[].CreditorReferenceInformation.Reference';
ObElsewhere(place)(OBRemittanceInformation2.prototype as object, 'Reference');
