import { describeMembers } from '#libs/api-description';
import { answerOf } from '../../../file-payment/dto/answer-of.js';
import { paymentBodiesOf } from '../../../file-payment/dto/payment-bodies.js';
import { OBStatusReason } from './ob-answer-parts.dto.js';
import { OBFile2 } from './ob-file.dto.js';

const { request, PaymentMembers } = paymentBodiesOf(OBFile2, {
  authorised: 'AUTH',
  status: {
    enum: ['PDNG', 'INCO', 'INFA'],
    description:
      'INCO: every payment was handed over to its scheme; individual payments may still become RJCT; see report-file.',
  },
  approvals: ['AWAF', 'AUTH', 'RJCT'],
});

/** Body of POST /file-payments. */
export const OBWriteFile2 = request;

/** Data of a file payment. */
class OBWriteDataFileResponse3 extends PaymentMembers {}
describeMembers(OBWriteDataFileResponse3, {
  StatusReason: { required: false, type: [OBStatusReason], description: 'The reason for the status.' },
  Initiation: {
    type: OBFile2,
    description: 'For a payment of v3.1: its Initiation in the members of v4.0, except FileType.',
  },
});

/** Answer of POST and GET /file-payments. */
export class OBWriteFileResponse3 extends answerOf(OBWriteDataFileResponse3) {}
