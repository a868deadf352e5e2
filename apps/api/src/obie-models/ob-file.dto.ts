import type { LosslessNumber } from 'lossless-json';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ObAnyObject,
  ObDateTime,
  ObDecimalNumber,
  ObEnum,
  ObMatch,
  ObObject,
  Optional,
  ObText,
  Required,
} from './rules.js';

/** File types taken: the exact literal of the 3.1 schemas, and the alias that their documentation pages print. */
export const fileTypes = ['UK.OBIE.PaymentInitiation.3.1', 'UK.OBIE.PaymentInitiation.4.0'] as const;

/**
 * A JSON number that keeps its decimal text. Picked: of the class itself the swagger plugin would write an import from
 * inside its package, which the package does not export.
 */
export type DecimalNumber = Pick<LosslessNumber, keyof LosslessNumber>;

/** Account to be debited (OBCashAccountDebtor). */
export class OBCashAccountDebtor {
  @ApiProperty({ example: 'UK.OBIE.SortCodeAccountNumber' })
  @Required()
  @ObText(40)
  SchemeName!: string;

  @ApiProperty({ example: '20000110000001' })
  @Required()
  @ObText(256)
  Identification!: string;

  @ApiPropertyOptional()
  @Optional()
  @ObText(70)
  Name?: string;

  @ApiPropertyOptional()
  @Optional()
  @ObText(34)
  SecondaryIdentification?: string;
}

/** RemittanceInformation of the file. */
export class OBRemittanceInformation1 {
  @ApiPropertyOptional({ maxLength: 140 })
  @Optional()
  @ObText(140)
  Unstructured?: string;

  @ApiPropertyOptional({ maxLength: 35 })
  @Optional()
  @ObText(35)
  Reference?: string;
}

/** Data.Initiation of consent and payment. */
export class OBFile2 {
  /** Format of the file. */
  @ApiProperty({ enum: fileTypes })
  @Required()
  @ObEnum(fileTypes)
  FileType!: string;

  /** Base64 of the SHA-256 of the file, octet for octet as it will be uploaded. */
  @ApiProperty({ minLength: 1, maxLength: 44, example: 'y5CjGT0eLLqW5NHXwfWndOzWdq0856jVoHwxv9V3ErA=' })
  @Required()
  @ObMatch(/^[A-Za-z0-9+/]{43}=?$/, 'must be the base64 text of a SHA-256 value, 43 characters and one =')
  FileHash!: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: 40 })
  @Optional()
  @ObText(40)
  FileReference?: string;

  /** Number of payments in the file, 1 to 150. */
  @ApiPropertyOptional({ pattern: '^[0-9]{1,15}$', example: '150' })
  @Optional()
  @ObMatch(/^\d{1,15}$/, 'must be a string of 1 to 15 digits')
  NumberOfTransactions?: string;

  /** Sum of all amounts in the file. */
  @ApiPropertyOptional({ type: Number, example: 200.5 })
  @Optional()
  @ObDecimalNumber()
  ControlSum?: DecimalNumber;

  @ApiPropertyOptional({ format: 'date-time' })
  @Optional()
  @ObDateTime()
  RequestedExecutionDateTime?: string;

  @ApiPropertyOptional({ example: 'UK.OBIE.FPS' })
  @Optional()
  @ObText(50)
  LocalInstrument?: string;

  @ApiPropertyOptional()
  @Optional()
  @ObObject(() => OBCashAccountDebtor)
  DebtorAccount?: OBCashAccountDebtor;

  @ApiPropertyOptional()
  @Optional()
  @ObObject(() => OBRemittanceInformation1)
  RemittanceInformation?: OBRemittanceInformation1;

  @ApiPropertyOptional({ type: Object })
  @Optional()
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}

/** Charge of the bank. */
export class OBCharge2 {
  @ApiProperty({ enum: ['BorneByCreditor', 'BorneByDebtor', 'FollowingServiceLevel', 'Shared'] })
  ChargeBearer!: string;

  @ApiProperty({ example: 'UK.OBIE.CHAPSOut' })
  Type!: string;

  @ApiProperty({ type: Object, example: { Amount: '25.00', Currency: 'GBP' } })
  Amount!: { readonly Amount: string; readonly Currency: string };
}
