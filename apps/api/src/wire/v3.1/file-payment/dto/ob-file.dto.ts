import { LosslessNumber } from 'lossless-json';
import { mostPayments } from '#libs/file-payment';
import { localInstruments } from '#libs/obie-rules';
import { exampleControlSum } from '../../../file-payment/example-file.js';
import { example31 } from '../example.js';
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
} from '../../../form/rules.js';

/**
 * File types taken: the exact literal of the 3.1 schemas. Their documentation pages print that of v4.0, whose payments have other members
 * (`Structured`, UltimateDebtor, CreditorAgent): they would be lost.
 */
export const fileTypes = ['UK.OBIE.PaymentInitiation.3.1'] as const;

/** A JSON number that keeps its decimal text. */
export type DecimalNumber = LosslessNumber;

/** Account to be debited (OBCashAccountDebtor). */
class OBCashAccountDebtor {
  @Required({
    description:
      'UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN; UK.OBIE.PAN for a balance transfer only. The prefix may be left out.',
    example: 'UK.OBIE.SortCodeAccountNumber',
  })
  @ObText(40)
  SchemeName!: string;

  @Required({
    description: 'In the form of the scheme: sort code and account number are 14 digits.',
    example: '20000110000001',
  })
  @ObText(256)
  Identification!: string;

  @Optional({ description: 'Name of the account.', example: 'Octon Ltd' })
  @ObText(70)
  Name?: string;

  @Optional({ description: 'Roll number of a building society.', example: 'A-123' })
  @ObText(34)
  SecondaryIdentification?: string;
}

/** RemittanceInformation of the file. */
export class OBRemittanceInformation1 {
  @Optional({ description: 'Free text.', example: 'Salaries of January' })
  @ObText(140)
  Unstructured?: string;

  @Optional({ description: 'Reference for the payee.', example: 'PAYROLL-01' })
  @ObText(35)
  Reference?: string;
}

/** Data.Initiation of consent and payment. */
export class OBFile2 {
  @Required({ description: 'Format of the file: the JSON type of v3.1.', example: fileTypes[0] })
  @ObEnum(fileTypes, `must be ${fileTypes[0]}: v3.1 takes ${fileTypes[0]} files`)
  FileType!: string;

  @Required({
    description: 'Base64 of the SHA-256 of the file, octet for octet as it will be uploaded.',
    example: example31.initiation.FileHash,
  })
  @ObMatch(/^[A-Za-z0-9+/]{43}=?$/, 'must be the base64 text of a SHA-256 value, 43 characters and one =')
  FileHash!: string;

  @Optional({ description: 'Your name for the file.', example: 'PAYROLL-2030-01' })
  @ObText(40)
  FileReference?: string;

  @Optional({ description: `Number of payments in the file, 1 to ${mostPayments}.`, example: '2' })
  @ObMatch(/^\d{1,15}$/, 'must be a string of 1 to 15 digits')
  NumberOfTransactions?: string;

  @Optional({
    description: 'Sum of all amounts in the file: above zero, at most five decimals. A JSON number.',
    example: exampleControlSum,
  })
  @ObDecimalNumber()
  ControlSum?: DecimalNumber;

  @Optional({ description: 'Day of execution, in London; not before today.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  RequestedExecutionDateTime?: string;

  @Optional({
    description: `Payment type of the whole file: ${localInstruments.join(', ')}.`,
    example: localInstruments[0],
  })
  @ObText(50)
  LocalInstrument?: string;

  @Optional({ description: 'Account to pay from. Left out, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor)
  DebtorAccount?: OBCashAccountDebtor;

  @Optional({ description: 'What the payments are for.' })
  @ObObject(() => OBRemittanceInformation1)
  RemittanceInformation?: OBRemittanceInformation1;

  @Optional({ description: 'Members of your own; kept and returned.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
