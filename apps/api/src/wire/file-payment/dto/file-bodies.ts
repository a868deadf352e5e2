import { PartialType } from '@nestjs/swagger';
import { describeMembers } from '#libs/api-description';
import { mostPayments } from '#libs/obie-rules';
import type { WireClass } from '../../form/members.js';
import { exampleConsentId, exampleFilePaymentId, examplePaymentIds, exampleTime } from '../example-file.js';
import { answerOf } from './answer-of.js';

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

/** @returns the body of payment-details of a kind in one version */
export function detailsBodyOf({ statusDetail, states }: Pick<FileBodyParts, 'statusDetail' | 'states'>) {
  class OBWritePaymentDetails1 {}
  describeMembers(OBWritePaymentDetails1, {
    PaymentTransactionId: {
      type: 'string',
      minLength: 1,
      maxLength: 210,
      description: 'PaymentId.',
      example: examplePaymentIds[0],
    },
    Status: { type: 'string', enum: [...states] },
    StatusUpdateDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    StatusDetail: { required: false, type: statusDetail },
  });

  class OBWriteDataPaymentDetailsResponse1 {}
  describeMembers(OBWriteDataPaymentDetailsResponse1, {
    PaymentStatus: { type: [OBWritePaymentDetails1], description: 'In file order.' },
  });

  /** The state of every payment. */
  class OBWritePaymentDetailsResponse1 extends answerOf(OBWriteDataPaymentDetailsResponse1) {}
  return OBWritePaymentDetailsResponse1;
}

/** @returns the bodies of upload, file, report file and payment-details in one version */
// oxlint-disable-next-line max-lines-per-function -- classes, made anew for each version
export function fileBodiesOf({ payment, paymentWithId, statusDetail, states, fileStates }: FileBodyParts) {
  class OBFilePayments {}
  describeMembers(OBFilePayments, { DomesticPayments: { type: [payment], minItems: 1, maxItems: mostPayments } });

  /** The bare file, `{"Data": {"DomesticPayments": [...]}}`. */
  class OBFileContent {}
  describeMembers(OBFileContent, { Data: { type: OBFilePayments } });

  /** Body of the upload. The standard's bare document, `{"Data": {"DomesticPayments": [...]}}`, is accepted too. */
  class FileParam {}
  describeMembers(FileParam, { File: { type: OBFileContent } });

  class OBFilePaymentsResponse {}
  describeMembers(OBFilePaymentsResponse, { DomesticPayments: { type: [paymentWithId] } });

  class OBFileContentResponse {}
  describeMembers(OBFileContentResponse, { Data: { type: OBFilePaymentsResponse } });

  /** The file as uploaded, each payment with its PaymentId. */
  class ReadFileResponse {}
  describeMembers(ReadFileResponse, { File: { type: OBFileContentResponse } });

  /** A payment of the report, with its state. */
  class OBReportedPayment extends PartialType(paymentWithId) {}
  describeMembers(OBReportedPayment, {
    PaymentId: { type: 'string', maxLength: 35, description: 'Assigned by the bank.', example: examplePaymentIds[0] },
    Status: { type: 'string', enum: [...states] },
    StatusUpdateDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    StatusDetail: { required: false, type: statusDetail },
  });

  class OBReportData {}
  describeMembers(OBReportData, {
    FilePaymentId: { type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId },
    ConsentId: { type: 'string', minLength: 1, maxLength: 128, example: exampleConsentId },
    Status: { type: 'string', enum: [...fileStates] },
    StatusUpdateDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    CreationDateTime: { type: 'string', format: 'date-time', example: exampleTime },
    FileReference: { required: false, type: 'string', maxLength: 40, example: 'PAYROLL-2030-01' },
    NumberOfTransactions: { type: 'string', pattern: '^[0-9]{1,15}$', example: '2' },
    ControlSum: { type: 'number', example: 2230.5 },
    DomesticPayments: {
      type: [OBReportedPayment],
      description: 'In file order. If the file has been erased, only ids and statuses.',
    },
  });

  /** The report file: every payment with its state. */
  class OBReportFile extends answerOf(OBReportData) {}

  return {
    FileParam,
    OBFileContent,
    OBFileContentResponse,
    ReadFileResponse,
    OBReportFile,
    OBWritePaymentDetailsResponse1: detailsBodyOf({ statusDetail, states }),
  };
}
