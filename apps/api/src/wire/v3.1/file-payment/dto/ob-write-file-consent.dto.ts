import { answerOf } from '../../../file-payment/dto/answer-of.js';
import { consentBodiesOf } from '../../../file-payment/dto/consent-bodies.js';
import { OBFile2 } from './ob-file.dto.js';

const { request, ConsentMembers } = consentBodiesOf(OBFile2, {
  longestOrderId: 128,
  status: {
    enum: ['AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'],
    description:
      'AwaitingUpload: upload the file. AwaitingAuthorisation: send the customer to the bank. Authorised: make the ' +
      'payment. Consumed and Rejected are final.',
  },
});

/** Body of POST /file-payment-consents. */
export const OBWriteFileConsent3 = request;

/** Data of a consent. */
class OBWriteDataFileConsentResponse3 extends ConsentMembers {}

/** Answer of POST and GET /file-payment-consents. */
export class OBWriteFileConsentResponse3 extends answerOf(OBWriteDataFileConsentResponse3) {}
