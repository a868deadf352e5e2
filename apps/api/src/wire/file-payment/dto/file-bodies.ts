import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { mostPayments } from '#libs/obie-rules';
import { exampleConsentId, exampleFilePaymentId, examplePaymentIds, exampleTime } from '../example-file.js';
import { answerOf } from './answer-of.js';

type PaymentClass = new () => object;

/** Classes and states of a version's payments. */
export interface FileBodyParts {
  /** a payment as uploaded */
  readonly payment: PaymentClass;
  /** the same with its PaymentId */
  readonly paymentWithId: PaymentClass;
  /** the scheme's status of it */
  readonly statusDetail: PaymentClass;
  /** of a payment */
  readonly states: readonly string[];
  /** of a file payment */
  readonly fileStates: readonly string[];
}

/** @returns the body of payment-details of a kind in one version */
export function detailsBodyOf({ statusDetail, states }: Pick<FileBodyParts, 'statusDetail' | 'states'>) {
  class OBWritePaymentDetails1 {
    @ApiProperty({
      type: 'string',
      minLength: 1,
      maxLength: 210,
      description: 'PaymentId.',
      example: examplePaymentIds[0],
    })
    PaymentTransactionId!: string;

    @ApiProperty({ type: 'string', enum: [...states] })
    Status!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    StatusUpdateDateTime!: string;

    @ApiPropertyOptional({ type: statusDetail })
    StatusDetail?: object;
  }

  class OBWriteDataPaymentDetailsResponse1 {
    @ApiProperty({ type: [OBWritePaymentDetails1], description: 'In file order.' })
    PaymentStatus!: OBWritePaymentDetails1[];
  }

  /** The state of every payment. */
  class OBWritePaymentDetailsResponse1 extends answerOf(OBWriteDataPaymentDetailsResponse1) {}
  return OBWritePaymentDetailsResponse1;
}

/** @returns the bodies of upload, file, report file and payment-details in one version */
// oxlint-disable-next-line max-lines-per-function -- classes, made anew for each version
export function fileBodiesOf({ payment, paymentWithId, statusDetail, states, fileStates }: FileBodyParts) {
  class OBFilePayments {
    @ApiProperty({ type: [payment], minItems: 1, maxItems: mostPayments })
    DomesticPayments!: object[];
  }

  /** The bare file, `{"Data": {"DomesticPayments": [...]}}`. */
  class OBFileContent {
    @ApiProperty({ type: OBFilePayments })
    Data!: OBFilePayments;
  }

  /** Body of the upload. The standard's bare document, `{"Data": {"DomesticPayments": [...]}}`, is accepted too. */
  class FileParam {
    @ApiProperty({ type: OBFileContent })
    File!: OBFileContent;
  }

  class OBFilePaymentsResponse {
    @ApiProperty({ type: [paymentWithId] })
    DomesticPayments!: object[];
  }

  class OBFileContentResponse {
    @ApiProperty({ type: OBFilePaymentsResponse })
    Data!: OBFilePaymentsResponse;
  }

  /** The file as uploaded, each payment with its PaymentId. */
  class ReadFileResponse {
    @ApiProperty({ type: OBFileContentResponse })
    File!: OBFileContentResponse;
  }

  /** A payment of the report, with its state. */
  class OBReportedPayment extends PartialType(paymentWithId) {
    @ApiProperty({ type: 'string', maxLength: 35, description: 'Assigned by the bank.', example: examplePaymentIds[0] })
    PaymentId!: string;

    @ApiProperty({ type: 'string', enum: [...states] })
    Status!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    StatusUpdateDateTime!: string;

    @ApiPropertyOptional({ type: statusDetail })
    StatusDetail?: object;
  }

  class OBReportData {
    @ApiProperty({ type: 'string', minLength: 1, maxLength: 40, example: exampleFilePaymentId })
    FilePaymentId!: string;

    @ApiProperty({ type: 'string', minLength: 1, maxLength: 128, example: exampleConsentId })
    ConsentId!: string;

    @ApiProperty({ type: 'string', enum: [...fileStates] })
    Status!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    StatusUpdateDateTime!: string;

    @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
    CreationDateTime!: string;

    @ApiPropertyOptional({ type: 'string', maxLength: 40, example: 'PAYROLL-2030-01' })
    FileReference?: string;

    @ApiProperty({ type: 'string', pattern: '^[0-9]{1,15}$', example: '2' })
    NumberOfTransactions!: string;

    @ApiProperty({ type: 'number', example: 2230.5 })
    ControlSum!: number;

    @ApiProperty({
      type: [OBReportedPayment],
      description: 'In file order. If the file has been erased, only ids and statuses.',
    })
    DomesticPayments!: OBReportedPayment[];
  }

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
