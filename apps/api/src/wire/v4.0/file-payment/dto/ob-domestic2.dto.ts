import { payment40 } from '#libs/obie-rules';
import { classOf } from '../../../form/class-of.js';
import { ObDateTime, Optional } from '../../../form/rules.js';
// Adds a rule to one of the classes.
import './ob-parties.dto.js';

/** One payment. libs/file-payment reads it; the class describes it, and has the members that the report shows. */
export const OBDomestic2 = classOf(payment40);

/** A payment of the report. In a 3.1 file it may name a day; in 4.0 the consent does. */
export class OBReportedDomestic2 extends OBDomestic2 {
  @Optional({ description: 'Day of execution; only in 3.1 files.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  RequestedExecutionDateTime?: string;
}
