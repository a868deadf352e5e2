import { describeMembers } from '#libs/api-description';
import { answerOf } from '../../../file-payment/dto/answer-of.js';
import { consentBodiesOf } from '../../../file-payment/dto/consent-bodies.js';
import { OBStatusReason } from './ob-answer-parts.dto.js';
import { OBFile2 } from './ob-file.dto.js';

const { request, ConsentMembers } = consentBodiesOf(OBFile2, {
  longestOrderId: 40,
  status: {
    enum: ['AWUP', 'AWAU', 'AUTH', 'COND', 'RJCT'],
    description:
      'AWUP: upload the file. AWAU: send the customer to the bank. AUTH: make the payment. COND and RJCT are final.',
  },
});

/** Body of POST /file-payment-consents. */
export const OBWriteFileConsent3 = request;

/** Data of a consent. */
class OBWriteDataFileConsentResponse4 extends ConsentMembers {}
describeMembers(OBWriteDataFileConsentResponse4, {
  StatusReason: { required: false, type: [OBStatusReason], description: 'The reason for the status.' },
});

/** Answer of POST and GET /file-payment-consents. */
export class OBWriteFileConsentResponse4 extends answerOf(OBWriteDataFileConsentResponse4) {}
