import { describedClass, type Members, textUpTo } from '#libs/api-description';
import type { Initiation } from '#libs/consent';
import { creditorAgent, payment40, proxy, remittanceInformation2, ultimateDebtor } from '#libs/obie-rules';
import { answerOf } from '../../file-payment/dto/answer-parts.js';
import { consentBodiesOf } from '../../file-payment/dto/consent-bodies.js';
import { fileBodiesOf } from '../../file-payment/dto/file-bodies.js';
import { debtorAccount, initiationMembers, SupplementaryData } from '../../file-payment/dto/initiation.js';
import { paymentBodiesOf } from '../../file-payment/dto/payment-bodies.js';
import { examplePaymentIds } from '../../file-payment/example-file.js';
import { classOf } from '../../form/class-of.js';
import { classWith } from '../../form/members.js';
import { ObDateTime, ObElsewhere, ObEnum, ObObject, Optional, Required } from '../../form/rules.js';
import { example40 } from './example.js';
import { paymentStatusCodes } from './status-reasons.js';

/** The last member of an account to debit. */
export const accountProxy = Optional(
  { description: 'Proxy for the account. Stored and displayed; the members above identify the account.' },
  ObObject(classOf(proxy)),
);

/** What payments are for. `Reference`, as in v3.1, is refused: use Structured. */
const place = 'Structured[].CreditorReferenceInformation.Reference';
ObElsewhere(place)(classOf(remittanceInformation2).prototype as object, 'Reference');

/** Account to debit. */
const OBCashAccountDebtor4 = classWith(
  'OBCashAccountDebtor4',
  { ...debtorAccount, Proxy: accountProxy },
  { isClosed: true },
);

/** Data.Initiation of consent and payment: a 4.0 file contains 4.0 payments. */
const OBFile2 = classWith<Initiation>(
  'OBFile2',
  {
    ...initiationMembers('4.0', example40.initiation),
    CreditorAgent: Optional(
      { description: "The payees' bank for all payments. Payments in the file name the same bank or none." },
      ObObject(classOf(creditorAgent)),
    ),
    DebtorAccount: Optional(
      { description: 'Account to pay from. If absent, the customer chooses one.' },
      ObObject(OBCashAccountDebtor4),
    ),
    UltimateDebtor: Optional(
      {
        description:
          'The party on whose behalf all payments are made. Payments in the file name the same party or none.',
      },
      ObObject(classOf(ultimateDebtor)),
    ),
    RemittanceInformation: Optional(
      {
        description:
          'The purpose of all payments. Payments in the file state the same or none. `Reference`, as in v3.1, is ' +
          'refused: use `Structured`.',
      },
      ObObject(classOf(remittanceInformation2)),
    ),
    SupplementaryData,
  },
  { isClosed: true },
);

const { FileType } = example40.initiation;
/** Data.Initiation of a payment that is read: one of v3.1 keeps its FileType. */
const OBReadFile2 = classWith(
  'OBReadFile2',
  {
    FileType: Required(
      { description: 'Format of the file: the JSON type of the version of its consent.', example: FileType },
      ObEnum([FileType, 'UK.OBIE.PaymentInitiation.3.1']),
    ),
  },
  { base: OBFile2, isClosed: true },
);

/** The reason for a status. */
export const OBStatusReason = describedClass('OBStatusReason', {
  StatusReasonCode: textUpTo(4, { description: 'Code of ISO 20022, or of the standard.' }),
  StatusReasonDescription: textUpTo(500),
});
/** The member that most answers have. */
export const StatusReason: Members[string] = {
  required: false,
  type: [OBStatusReason],
  description: 'The reason for the status.',
};

const consents = consentBodiesOf(OBFile2, {
  longestOrderId: 40,
  status: {
    enum: ['AWUP', 'AWAU', 'AUTH', 'COND', 'RJCT'],
    description:
      'AWUP: upload the file. AWAU: send the customer to the bank. AUTH: make the payment. COND and RJCT are final.',
  },
});

const payments = paymentBodiesOf(OBFile2, {
  authorised: 'AUTH',
  status: {
    enum: ['PDNG', 'INCO', 'INFA'],
    description:
      'INCO: every payment was handed over to its scheme; individual payments may still become RJCT; see ' +
      'report-file.',
  },
  approvals: ['AWAF', 'AUTH', 'RJCT'],
});

/** One payment. libs/file-payment reads it; the class describes it, and has the members that the report shows. */
export const OBDomestic2 = classOf(payment40);

/** A payment of the report. In a 3.1 file it may name a day; in 4.0 the consent does. */
export const OBReportedDomestic2 = classWith(
  'OBReportedDomestic2',
  {
    RequestedExecutionDateTime: Optional(
      { description: 'Day of execution; only in 3.1 files.', example: '2035-01-31T00:00:00+00:00' },
      ObDateTime(),
    ),
  },
  { base: OBDomestic2 },
);

/** The payment scheme's status of a payment. */
export const OBStatusDetail = describedClass('OBStatusDetail', {
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

const PaymentId = {
  type: 'string',
  maxLength: 35,
  description: 'Assigned by the bank.',
  example: examplePaymentIds[0],
} as const;

/** The bodies of file payments in 4.0. */
export const fileBodies40 = {
  consent: consents.request,
  consentAnswer: answerOf('OBWriteFileConsentResponse4', [
    'OBWriteDataFileConsentResponse4',
    { ...consents.answered, StatusReason },
  ]),
  payment: payments.request,
  paymentAnswer: answerOf('OBWriteFileResponse3', [
    'OBWriteDataFileResponse3',
    {
      ...payments.answered,
      StatusReason,
      Initiation: {
        type: OBReadFile2,
        description: 'For a payment of v3.1: its Initiation in the members of v4.0, except FileType.',
      },
    },
  ]),
  ...fileBodiesOf({
    payment: OBDomestic2,
    paymentWithId: describedClass('OBDomesticResponse2', { PaymentId }, OBReportedDomestic2),
    statusDetail: OBStatusDetail,
    states: ['PDNG', 'ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'],
    fileStates: ['PDNG', 'INCO', 'INFA'],
  }),
};
