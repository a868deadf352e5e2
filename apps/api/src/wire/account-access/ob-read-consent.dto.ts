import { permissions } from '#libs/obie-rules';
import { ObDateTime, ObEnums, ObObject, Optional, Required } from '../form/rules.js';

/** What is asked for, and for how long. */
class OBReadData1 {
  @Required({
    description: 'What may be read. ReadAccountsBasic or ReadAccountsDetail must be among it.',
    example: ['ReadAccountsDetail', 'ReadBalances'],
  })
  @ObEnums(permissions)
  Permissions!: string[];

  @Optional({
    description: 'When the access ends, in the future. Without it, it ends when it is withdrawn.',
    example: '2035-01-31T00:00:00+00:00',
  })
  @ObDateTime()
  ExpirationDateTime?: string;

  @Optional({ description: 'From when transactions may be read.', example: '2030-01-01T00:00:00+00:00' })
  @ObDateTime()
  TransactionFromDateTime?: string;

  @Optional({ description: 'Until when transactions may be read.', example: '2030-12-31T00:00:00+00:00' })
  @ObDateTime()
  TransactionToDateTime?: string;
}

/** Nothing yet. */
class OBRisk2 {}

/** Body of POST /account-access-consents. */
export class OBReadConsent1 {
  @Required()
  @ObObject(() => OBReadData1)
  Data!: OBReadData1;

  @Required({ description: 'Must be there, and empty.' })
  @ObObject(() => OBRisk2)
  Risk!: OBRisk2;
}
