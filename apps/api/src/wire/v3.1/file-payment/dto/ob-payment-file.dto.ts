import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { localInstruments, paymentStatuses, postalAddress6 } from '#libs/obie-rules';
import { fileBodiesOf } from '../../../file-payment/dto/file-bodies.js';
import { Closed } from '../../../form/members.js';
import { postalAddressOf } from '../../../form/postal-address.js';
import { examplePaymentIds } from '../../../file-payment/example-file.js';
import { statusReasons } from '../status-detail.js';
import { OBRemittanceInformation1 } from './ob-file.dto.js';

// libs/file-payment has the rules of a file and reads 150 payments without a class for each. These classes describe the
// same rules to the API document; a test compares the two.

const text = (longest: number) => ({ type: 'string', minLength: 1, maxLength: longest }) as const;

@Closed()
class OBInstructedAmount {
  @ApiProperty({
    type: 'string',
    pattern: '^[0-9]{1,13}([.][0-9]{1,5})?$',
    description: 'Above zero, in whole pence.',
    example: '120.50',
  })
  Amount!: string;

  @ApiProperty({ type: 'string', pattern: '^[A-Z]{3}$', description: 'GBP.', example: 'GBP' })
  Currency!: string;
}

export class OBFileDebtorAccount {
  @ApiProperty({ ...text(40), example: 'UK.OBIE.SortCodeAccountNumber' })
  SchemeName!: string;

  @ApiProperty({ ...text(256), example: '20000110000001' })
  Identification!: string;

  @ApiPropertyOptional({ ...text(70), example: 'Octon Ltd' })
  Name?: string;

  @ApiPropertyOptional({ ...text(34), example: 'A-123' })
  SecondaryIdentification?: string;
}

export class OBFileCreditorAccount {
  @ApiProperty({ ...text(40), example: 'UK.OBIE.SortCodeAccountNumber' })
  SchemeName!: string;

  @ApiProperty({ ...text(256), example: '20000110000002' })
  Identification!: string;

  @ApiProperty({ ...text(70), description: 'Name of the payee.', example: 'A Supplier Ltd' })
  Name!: string;

  @ApiPropertyOptional({ ...text(34), example: 'A-123' })
  SecondaryIdentification?: string;
}

/** Postal address of the payee. */
class OBPostalAddress6 extends postalAddressOf(postalAddress6) {}

/** One payment of a file. */
export class OBDomesticPaymentItem {
  @ApiProperty({ ...text(35), description: 'Your id of the instruction.', example: 'PAYROLL-1' })
  InstructionIdentification!: string;

  @ApiPropertyOptional({ ...text(35), description: 'Passed on unchanged to the payee.', example: 'SALARY-0001' })
  EndToEndIdentification?: string;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...localInstruments],
    description: 'The same for all payments of the file and as in the consent.',
  })
  LocalInstrument?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date-time',
    description: 'Day of execution, the same for all payments and as in the consent.',
    example: '2035-01-31T00:00:00+00:00',
  })
  RequestedExecutionDateTime?: string;

  @ApiProperty({ type: OBInstructedAmount })
  InstructedAmount!: OBInstructedAmount;

  @ApiPropertyOptional({
    type: OBFileDebtorAccount,
    description: 'The same for all payments and as in the consent.',
  })
  DebtorAccount?: OBFileDebtorAccount;

  @ApiProperty({ type: OBFileCreditorAccount })
  CreditorAccount!: OBFileCreditorAccount;

  @ApiPropertyOptional({ type: OBPostalAddress6 })
  CreditorPostalAddress?: OBPostalAddress6;

  @ApiPropertyOptional({ type: OBRemittanceInformation1 })
  RemittanceInformation?: OBRemittanceInformation1;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'Members of your own.', example: {} })
  SupplementaryData?: Record<string, unknown>;
}

/** A payment as uploaded, with its PaymentId. */
class OBDomesticPaymentItemResponse extends OBDomesticPaymentItem {
  @ApiProperty({ ...text(35), description: 'Id of the payment, assigned by the bank.', example: examplePaymentIds[0] })
  PaymentId!: string;
}

/** The payment scheme's status of a payment. */
class OBPaymentStatusDetail {
  @ApiPropertyOptional({ type: 'string', description: 'Payment type.' })
  LocalInstrument?: string;

  @ApiProperty({ type: 'string', description: 'Status in the words of the scheme.' })
  Status!: string;

  @ApiPropertyOptional({ type: 'string', enum: statusReasons, description: 'The reason as a code.' })
  StatusReason?: string;

  @ApiPropertyOptional({ type: 'string', description: 'The reason in words.' })
  StatusReasonDescription?: string;
}

/** Bodies of upload, file, report file and payment-details. */
export const fileBodies31 = fileBodiesOf({
  payment: OBDomesticPaymentItem,
  paymentWithId: OBDomesticPaymentItemResponse,
  statusDetail: OBPaymentStatusDetail,
  states: paymentStatuses,
  fileStates: ['InitiationPending', 'InitiationCompleted', 'InitiationFailed'],
});
