import { describeMembers } from '#libs/api-description';
import { paymentItem31, paymentStatuses } from '#libs/obie-rules';
import { statusReasons } from '#libs/payment-order';
import { fileBodiesOf } from '../../../file-payment/dto/file-bodies.js';
import { classOf } from '../../../form/class-of.js';
import { examplePaymentIds } from '../../../file-payment/example-file.js';

/** One payment of a file. libs/file-payment reads it; the class describes it. */
const OBDomesticPaymentItem = classOf(paymentItem31);

/** A payment as uploaded, with its PaymentId. */
class OBDomesticPaymentItemResponse extends OBDomesticPaymentItem {}
describeMembers(OBDomesticPaymentItemResponse, {
  PaymentId: {
    type: 'string',
    minLength: 1,
    maxLength: 35,
    description: 'Id of the payment, assigned by the bank.',
    example: examplePaymentIds[0],
  },
});

/** The payment scheme's status of a payment. */
class OBPaymentStatusDetail {}
describeMembers(OBPaymentStatusDetail, {
  LocalInstrument: { required: false, type: 'string', description: 'Payment type.' },
  Status: { type: 'string', description: 'Status in the words of the scheme.' },
  StatusReason: { required: false, type: 'string', enum: statusReasons, description: 'The reason as a code.' },
  StatusReasonDescription: { required: false, type: 'string', description: 'The reason in words.' },
});

/** Bodies of upload, file, report file and payment-details. */
export const fileBodies31 = fileBodiesOf({
  payment: OBDomesticPaymentItem,
  paymentWithId: OBDomesticPaymentItemResponse,
  statusDetail: OBPaymentStatusDetail,
  states: paymentStatuses,
  fileStates: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
});
