import { describedClass, textUpTo } from '#libs/api-description';
import type { Initiation } from '#libs/consent';
import { paymentItem31, paymentStatuses, remittanceInformation1 } from '#libs/obie-rules';
import { statusReasons } from '#libs/payment-order';
import { answerOf } from '../../file-payment/dto/answer-parts.js';
import { consentBodiesOf } from '../../file-payment/dto/consent-bodies.js';
import { fileBodiesOf } from '../../file-payment/dto/file-bodies.js';
import { debtorAccount, initiationMembers, SupplementaryData } from '../../file-payment/dto/initiation.js';
import { paymentBodiesOf } from '../../file-payment/dto/payment-bodies.js';
import { examplePaymentIds } from '../../file-payment/example-file.js';
import { classOf } from '../../form/class-of.js';
import { classWith } from '../../form/members.js';
import { ObObject, Optional } from '../../form/rules.js';
import { example31 } from './example.js';

/** Account to debit. Its Name may have 350 characters as in 3.1.11 (70 in 3.1.2). */
const OBCashAccountDebtor = classWith('OBCashAccountDebtor', debtorAccount);

/**
 * Data.Initiation of consent and payment. FileType is the exact literal of the 3.1 schemas. Their documentation pages
 * print that of v4.0, whose payments have further members (`Structured`, UltimateDebtor, CreditorAgent), which would be
 * lost.
 */
const OBFile2 = classWith<Initiation>('OBFile2', {
  ...initiationMembers('3.1', example31.initiation),
  DebtorAccount: Optional(
    { description: 'Account to pay from. If absent, the customer chooses one.' },
    ObObject(OBCashAccountDebtor),
  ),
  RemittanceInformation: Optional(
    { description: 'The purpose of the payments.' },
    ObObject(classOf(remittanceInformation1)),
  ),
  SupplementaryData,
});

const consents = consentBodiesOf(OBFile2, {
  longestOrderId: 128,
  status: {
    enum: ['AwaitingUpload', 'AwaitingAuthorisation', 'Authorised', 'Consumed', 'Rejected'],
    description:
      'AwaitingUpload: upload the file. AwaitingAuthorisation: send the customer to the bank. Authorised: make the ' +
      'payment. Consumed and Rejected are final.',
  },
});

const payments = paymentBodiesOf(OBFile2, {
  authorised: 'Authorised',
  status: {
    enum: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
    description:
      'InitiationCompleted: every payment was handed over to its scheme; individual payments may still become ' +
      'Rejected; see report-file.',
  },
  approvals: ['AwaitingFurtherAuthorisation', 'Authorised', 'Rejected'],
});

/** One payment of a file. libs/file-payment reads it; the class describes it. */
const OBDomesticPaymentItem = classOf(paymentItem31);

/** The payment scheme's status of a payment. */
const OBPaymentStatusDetail = describedClass('OBPaymentStatusDetail', {
  LocalInstrument: { required: false, type: 'string', description: 'Payment type.' },
  Status: { type: 'string', description: 'Status in the words of the scheme.' },
  StatusReason: { required: false, type: 'string', enum: statusReasons, description: 'The reason as a code.' },
  StatusReasonDescription: { required: false, type: 'string', description: 'The reason in words.' },
});

const PaymentId = textUpTo(35, {
  description: 'Id of the payment, assigned by the bank.',
  example: examplePaymentIds[0],
});

/** The bodies of file payments in 3.1. */
export const fileBodies31 = {
  consent: consents.request,
  consentAnswer: answerOf('OBWriteFileConsentResponse3', ['OBWriteDataFileConsentResponse3', consents.answered]),
  payment: payments.request,
  paymentAnswer: answerOf('OBWriteFileResponse2', ['OBWriteDataFileResponse2', payments.answered]),
  ...fileBodiesOf({
    payment: OBDomesticPaymentItem,
    paymentWithId: describedClass('OBDomesticPaymentItemResponse', { PaymentId }, OBDomesticPaymentItem),
    statusDetail: OBPaymentStatusDetail,
    states: paymentStatuses,
    fileStates: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
  }),
};
