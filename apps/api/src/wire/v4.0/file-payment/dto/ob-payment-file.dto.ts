import { describeMembers } from '#libs/api-description';
import { fileBodiesOf } from '../../../file-payment/dto/file-bodies.js';
import { examplePaymentIds } from '../../../file-payment/example-file.js';
import { paymentStatusCodes } from '../status-reasons.js';
import { OBDomestic2, OBReportedDomestic2 } from './ob-domestic2.dto.js';

/** A payment as uploaded, with its PaymentId. */
class OBDomesticResponse2 extends OBReportedDomestic2 {}
describeMembers(OBDomesticResponse2, {
  PaymentId: { type: 'string', maxLength: 35, description: 'Assigned by the bank.', example: examplePaymentIds[0] },
});

/** The payment scheme's status of a payment. */
export class OBStatusDetail {}
describeMembers(OBStatusDetail, {
  LocalInstrument: { required: false, type: 'string', description: 'Payment type.' },
  Status: {
    type: 'string',
    enum: paymentStatusCodes,
    description: "The scheme's status, or that of the payment.",
  },
  StatusReason: {
    required: false,
    type: 'string',
    minLength: 4,
    maxLength: 4,
    description: 'The reason as a code; for NARR, see the text below.',
  },
  StatusReasonDescription: { required: false, type: 'string', maxLength: 256, description: 'The reason in words.' },
});

/** Bodies of upload, file, report file and payment-details. */
export const fileBodies40 = fileBodiesOf({
  payment: OBDomestic2,
  paymentWithId: OBDomesticResponse2,
  statusDetail: OBStatusDetail,
  states: ['PDNG', 'ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'],
  fileStates: ['PDNG', 'INCO', 'INFA'],
});
