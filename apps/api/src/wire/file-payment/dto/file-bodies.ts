import { PartialType } from '@nestjs/swagger';
import { describedClass, type Members, textUpTo } from '#libs/api-description';
import { mostPayments } from '#libs/obie-rules';
import type { WireClass } from '../../form/members.js';
import { exampleControlSum, examplePaymentIds } from '../example-file.js';
import { answerOf, consentId, past, paymentOrderId } from './answer-parts.js';

/** Classes and states of a version's payments. */
export interface FileBodyParts {
  /** a payment as uploaded */
  readonly payment: WireClass;
  /** the same with its PaymentId */
  readonly paymentWithId: WireClass;
  /** the scheme's status of it */
  readonly statusDetail: WireClass;
  /** of a payment */
  readonly states: readonly string[];
  /** of a file payment */
  readonly fileStates: readonly string[];
}

/** The scheme's status of a payment. */
const stateOf = ({ statusDetail, states }: Pick<FileBodyParts, 'statusDetail' | 'states'>): Members => ({
  Status: { type: 'string', enum: [...states] },
  StatusUpdateDateTime: past,
  StatusDetail: { required: false, type: statusDetail },
});

/** @returns the body of payment-details of a kind in one version */
export function detailsBodyOf(parts: Pick<FileBodyParts, 'statusDetail' | 'states'>) {
  const OBWritePaymentDetails1 = describedClass('OBWritePaymentDetails1', {
    PaymentTransactionId: textUpTo(210, { description: 'PaymentId.', example: examplePaymentIds[0] }),
    ...stateOf(parts),
  });
  return answerOf('OBWritePaymentDetailsResponse1', [
    'OBWriteDataPaymentDetailsResponse1',
    { PaymentStatus: { type: [OBWritePaymentDetails1], description: 'In file order.' } },
  ]);
}

/** @returns the bodies of upload, file, report file and payment-details in one version */
export function fileBodiesOf({ payment, paymentWithId, fileStates, ...parts }: FileBodyParts) {
  const OBFilePayments = describedClass('OBFilePayments', {
    DomesticPayments: { type: [payment], minItems: 1, maxItems: mostPayments },
  });
  const OBFileContent = describedClass('OBFileContent', { Data: { type: OBFilePayments } });
  const OBFilePaymentsResponse = describedClass('OBFilePaymentsResponse', {
    DomesticPayments: { type: [paymentWithId] },
  });
  const OBFileContentResponse = describedClass('OBFileContentResponse', { Data: { type: OBFilePaymentsResponse } });
  /** A payment of the report, with its state. */
  const OBReportedPayment = describedClass(
    'OBReportedPayment',
    {
      PaymentId: { type: 'string', maxLength: 35, description: 'Assigned by the bank.', example: examplePaymentIds[0] },
      ...stateOf(parts),
    },
    PartialType(paymentWithId),
  );
  const reportMembers: Members = {
    FilePaymentId: paymentOrderId,
    ConsentId: consentId,
    Status: { type: 'string', enum: [...fileStates] },
    StatusUpdateDateTime: past,
    CreationDateTime: past,
    FileReference: { required: false, type: 'string', maxLength: 40, example: 'PAYROLL-2030-01' },
    NumberOfTransactions: { type: 'string', pattern: '^[0-9]{1,15}$', example: '2' },
    ControlSum: { type: 'number', example: exampleControlSum },
    DomesticPayments: {
      type: [OBReportedPayment],
      description: 'In file order. If the file has been erased, only ids and statuses.',
    },
  };
  return {
    /** The standard's bare document, `{"Data": {"DomesticPayments": [...]}}`, is accepted too. */
    file: [describedClass('FileParam', { File: { type: OBFileContent } }), OBFileContent],
    /** The file as uploaded, each payment with its PaymentId. */
    fileAnswer: [describedClass('ReadFileResponse', { File: { type: OBFileContentResponse } }), OBFileContentResponse],
    /** The report file: every payment with its state. */
    reportAnswer: answerOf('OBReportFile', ['OBReportData', reportMembers]),
    detailsAnswer: detailsBodyOf(parts),
  };
}
