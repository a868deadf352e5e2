import { answerOf } from '../../../file-payment/dto/answer-of.js';
import { paymentBodiesOf } from '../../../file-payment/dto/payment-bodies.js';
import { OBFile2 } from './ob-file.dto.js';

const { request, PaymentMembers } = paymentBodiesOf(OBFile2, {
  authorised: 'Authorised',
  status: {
    enum: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
    description:
      'InitiationCompleted: every payment was handed over to its scheme; individual payments may still become ' +
      'Rejected; see report-file.',
  },
  approvals: ['AwaitingFurtherAuthorisation', 'Authorised', 'Rejected'],
});

/** Body of POST /file-payments. */
export const OBWriteFile2 = request;

/** Data of a file payment. */
class OBWriteDataFileResponse2 extends PaymentMembers {}

/** Answer of POST and GET /file-payments. */
export class OBWriteFileResponse2 extends answerOf(OBWriteDataFileResponse2) {}
