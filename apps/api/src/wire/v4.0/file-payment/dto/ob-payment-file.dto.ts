import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { mostPayments } from '#libs/file-payment';
import {
  exampleConsentId,
  exampleFilePaymentId,
  examplePaymentIds,
  exampleTime,
} from '../../../file-payment/example-file.js';
import { Links, Meta } from '../../../file-payment/ob-links-meta.dto.js';
import { OBDomestic2, OBReportedDomestic2 } from './ob-domestic2.dto.js';

/** States of a payment that this service tells. */
const states = ['PDNG', 'ACSP', 'ACSC', 'ACWP', 'ACCC', 'RJCT'] as const;

class OBFilePayments {
  @ApiProperty({ type: [OBDomestic2], minItems: 1, maxItems: mostPayments })
  DomesticPayments!: OBDomestic2[];
}

/** The bare file, `{"Data": {"DomesticPayments": [...]}}`. */
export class OBFileContent {
  @ApiProperty({ type: OBFilePayments })
  Data!: OBFilePayments;
}

/** Body of the upload. The bare document, `{"Data": {"DomesticPayments": [...]}}`, is taken, too. */
export class FileParam {
  @ApiProperty({ type: OBFileContent })
  File!: OBFileContent;
}

/** A payment as it was uploaded, with the id that it was given. */
class OBDomesticResponse2 extends OBReportedDomestic2 {
  @ApiProperty({ type: 'string', maxLength: 35, description: 'Given by the bank.', example: examplePaymentIds[0] })
  PaymentId!: string;
}

class OBFilePaymentsResponse {
  @ApiProperty({ type: [OBDomesticResponse2] })
  DomesticPayments!: OBDomesticResponse2[];
}

export class OBFileContentResponse {
  @ApiProperty({ type: OBFilePaymentsResponse })
  Data!: OBFilePaymentsResponse;
}

/** The file as it was uploaded, each payment with its PaymentId. */
export class ReadFileResponse {
  @ApiProperty({ type: OBFileContentResponse })
  File!: OBFileContentResponse;
}

/** What the payment scheme says about a payment. */
class OBStatusDetail {
  @ApiPropertyOptional({ type: 'string', description: 'Payment type.' })
  LocalInstrument?: string;

  @ApiProperty({
    type: 'string',
    minLength: 4,
    maxLength: 4,
    description: "The scheme's state, or that of the payment.",
  })
  Status!: string;

  @ApiPropertyOptional({ type: 'string', minLength: 4, maxLength: 4, description: 'Why, as a code; NARR: see below.' })
  StatusReason?: string;

  @ApiPropertyOptional({ type: 'string', maxLength: 256, description: 'Why, in words.' })
  StatusReasonDescription?: string;
}

/** A payment of the report, with its state. */
class OBReportedPayment extends OBDomesticResponse2 {
  @ApiProperty({ type: 'string', enum: [...states] })
  Status!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;

  @ApiPropertyOptional({ type: OBStatusDetail })
  StatusDetail?: OBStatusDetail;
}

class OBReportData {
  @ApiProperty({ type: 'string', maxLength: 40, example: exampleFilePaymentId })
  FilePaymentId!: string;

  @ApiProperty({ type: 'string', maxLength: 128, example: exampleConsentId })
  ConsentId!: string;

  @ApiProperty({ type: 'string', enum: ['PDNG', 'INCO', 'INFA'] })
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

  @ApiProperty({ type: [OBReportedPayment], description: 'In file order. Of an erased file only ids and states.' })
  DomesticPayments!: OBReportedPayment[];
}

/** The report file: every payment with its state. */
export class OBReportFile {
  @ApiProperty({ type: OBReportData })
  Data!: OBReportData;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}

class OBWritePaymentDetails1 {
  @ApiProperty({ type: 'string', maxLength: 210, description: 'PaymentId.', example: examplePaymentIds[0] })
  PaymentTransactionId!: string;

  @ApiProperty({ type: 'string', enum: [...states] })
  Status!: string;

  @ApiProperty({ type: 'string', format: 'date-time', example: exampleTime })
  StatusUpdateDateTime!: string;

  @ApiPropertyOptional({ type: OBStatusDetail })
  StatusDetail?: OBStatusDetail;
}

class OBWriteDataPaymentDetailsResponse1 {
  @ApiProperty({ type: [OBWritePaymentDetails1], description: 'In file order.' })
  PaymentStatus!: OBWritePaymentDetails1[];
}

/** The state of every payment. */
export class OBWritePaymentDetailsResponse1 {
  @ApiProperty({ type: OBWriteDataPaymentDetailsResponse1 })
  Data!: OBWriteDataPaymentDetailsResponse1;

  @ApiProperty({ type: Links })
  Links!: Links;

  @ApiProperty({ type: Meta })
  Meta!: Meta;
}
