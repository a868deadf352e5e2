import { describeMembers } from '#libs/api-description';
import { Closed } from '../../form/members.js';
import { ObObject, ObText, Required } from '../../form/rules.js';
import { exampleConsentId, exampleFilePaymentId, exampleTime } from '../example-file.js';
import { OBCharge2 } from '../ob-charge.dto.js';
import type { PaymentWire } from '../../wire.js';
import type { StateDescription } from './consent-bodies.js';
import { OBDebtor } from './ob-debtor.dto.js';

/**
 * @param type of Data.Initiation
 * @param options.checks as for consents
 * @param options.authorised state in which a consent can be paid
 * @param options.approvals states of an approval by several people
 * @returns the body of POST /file-payments, and the members of Data in requests and answers that all versions and kinds
 * share
 */
// oxlint-disable-next-line max-lines-per-function -- classes, made anew for each version
export function paymentBodiesOf<Initiation extends object>(
  type: new () => Initiation,
  {
    authorised,
    status,
    approvals,
    checks = ObObject(() => type),
    paymentId = 'FilePaymentId',
  }: {
    authorised: string;
    status: StateDescription;
    approvals: string[];
    checks?: PropertyDecorator;
    paymentId?: PaymentWire['paymentId'];
  },
) {
  /** Data of a file payment request. */
  @Closed()
  class OBWriteDataFile2 {
    @Required({ description: `The consent, ${authorised}.`, example: exampleConsentId })
    @ObText(128)
    ConsentId!: string;

    @Required({ description: 'The same as in the consent, member for member.' })
    @checks
    Initiation!: Initiation;
  }

  /** Body of POST /file-payments. */
  @Closed()
  class OBWriteFile2 {
    @Required()
    @ObObject(() => OBWriteDataFile2)
    Data!: OBWriteDataFile2;
  }

  /** For accounts that need several approvers. */
  class OBMultiAuthorisation1 {}
  describeMembers(OBMultiAuthorisation1, {
    Status: { type: 'string', enum: approvals },
    NumberRequired: { type: 'integer', minimum: 2 },
    NumberReceived: { type: 'integer', minimum: 0 },
    LastUpdateDateTime: { type: 'string', format: 'date-time' },
    ExpirationDateTime: { type: 'string', format: 'date-time', description: 'After that, nobody can approve.' },
  });

  class PaymentMembers {}
  describeMembers(PaymentMembers, {
    [paymentId]: { type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId },
    ConsentId: { type: 'string', minLength: 1, maxLength: 128, example: exampleConsentId },
    CreationDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    Status: { type: 'string', ...status },
    StatusUpdateDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    Charges: { type: [OBCharge2] },
    Initiation: { type },
    MultiAuthorisation: {
      required: false,
      type: OBMultiAuthorisation1,
      description: 'Present only if the account needs several approvers.',
    },
    Debtor: { required: false, type: OBDebtor, description: 'The account to pay from, if the bank shows it.' },
  });

  return { request: OBWriteFile2, PaymentRequest: OBWriteDataFile2, PaymentMembers };
}
