import { describedClass, type Members } from '#libs/api-description';
import { classWith } from '../../form/members.js';
import { ObObject, ObText, Required } from '../../form/rules.js';
import { exampleConsentId } from '../example-file.js';
import type { PaymentWire } from '../../wire.js';
import { consentId, moment, OBCharge2, OBDebtor, past, paymentOrderId } from './answer-parts.js';
import type { StateDescription } from './consent-bodies.js';

/**
 * @param type of Data.Initiation
 * @param options.checks as for consents
 * @param options.authorised state in which a consent can be paid
 * @param options.approvals states of an approval by several people
 * @returns the body of POST /file-payments, and the members of Data in requests and answers that all versions and kinds
 * share
 */
export function paymentBodiesOf<Initiation extends object>(
  type: new () => Initiation,
  {
    authorised,
    status,
    approvals,
    checks = ObObject(type),
    paymentId = 'FilePaymentId',
  }: {
    authorised: string;
    status: StateDescription;
    approvals: string[];
    checks?: PropertyDecorator;
    paymentId?: PaymentWire['paymentId'];
  },
) {
  /** Data of a request. */
  const asked = {
    ConsentId: Required({ description: `The consent, ${authorised}.`, example: exampleConsentId }, ObText(128)),
    Initiation: Required({ description: 'The same as in the consent, member for member.' }, checks),
  };
  const Data = classWith('OBWriteDataFile2', asked, { isClosed: true });
  /** Body of POST /file-payments. */
  const request = classWith<{ Data: { ConsentId: string; Initiation: Initiation } }>(
    'OBWriteFile2',
    {
      Data: Required({}, ObObject(Data)),
    },
    { isClosed: true },
  );
  /** For accounts that need several approvers. */
  const OBMultiAuthorisation1 = describedClass('OBMultiAuthorisation1', {
    Status: { type: 'string', enum: approvals },
    NumberRequired: { type: 'integer', minimum: 2 },
    NumberReceived: { type: 'integer', minimum: 0 },
    LastUpdateDateTime: moment,
    ExpirationDateTime: { ...moment, description: 'After that, nobody can approve.' },
  });
  const answered: Members = {
    [paymentId]: paymentOrderId,
    ConsentId: consentId,
    CreationDateTime: past,
    Status: { type: 'string', ...status },
    StatusUpdateDateTime: past,
    Charges: { type: [OBCharge2] },
    Initiation: { type },
    MultiAuthorisation: {
      required: false,
      type: OBMultiAuthorisation1,
      description: 'Present only if the account needs several approvers.',
    },
    Debtor: { required: false, type: OBDebtor, description: 'The account to pay from, if the bank shows it.' },
  };
  return { request, asked, answered };
}
