import { mostPayments } from '#libs/file-payment';
import { localInstruments } from '#libs/obie-rules';
import type { LosslessNumber } from 'lossless-json';
import { exampleControlSum } from '../../../file-payment/example-file.js';
import {
  ObAnyObject,
  ObDateTime,
  ObDecimalNumber,
  ObEnum,
  ObMatch,
  ObObject,
  ObText,
  Optional,
  Required,
} from '../../../form/rules.js';
import { example40 } from '../example.js';
import { OBCreditorAgent, OBProxy1, OBUltimateDebtor1 } from './ob-parties.dto.js';
import { OBRemittanceInformation2 } from './ob-remittance-information2.dto.js';

/** File types taken: a file of 4.0 holds the payments of 4.0. */
const fileTypes = ['UK.OBIE.PaymentInitiation.4.0'] as const;

/** Account to be debited (OBCashAccountDebtor4). */
class OBCashAccountDebtor4 {
  @Required({
    description:
      'UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN; UK.OBIE.PAN for a balance transfer only. The prefix may be left out.',
    example: 'UK.OBIE.SortCodeAccountNumber',
  })
  @ObText(40)
  SchemeName!: string;

  @Required({ description: 'In the form of the scheme.', example: '20000110000001' })
  @ObText(256)
  Identification!: string;

  @Optional({ description: 'Name of the account.', example: 'Octon Ltd' })
  @ObText(350)
  Name?: string;

  @Optional({ description: 'Roll number of a building society.', example: 'A-123' })
  @ObText(34)
  SecondaryIdentification?: string;

  @Optional({
    description: 'What stands for the account. Kept and shown; the account is what the two members above say.',
  })
  @ObObject(() => OBProxy1)
  Proxy?: OBProxy1;
}

/** Data.Initiation of consent and payment. */
export class OBFile2 {
  @Required({ description: 'Format of the file: the JSON type of v4.0.', example: fileTypes[0] })
  @ObEnum(fileTypes, `must be ${fileTypes[0]}: v4.0 takes ${fileTypes[0]} files`)
  FileType!: string;

  @Required({
    description: 'Base64 of the SHA-256 of the file, octet for octet as it will be uploaded.',
    example: example40.initiation.FileHash,
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
  ControlSum?: LosslessNumber;

  @Optional({ description: 'Day of execution, in London; not before today.', example: '2035-01-31T00:00:00+00:00' })
  @ObDateTime()
  RequestedExecutionDateTime?: string;

  @Optional({
    description: `Payment type of the whole file: ${localInstruments.join(', ')}.`,
    example: localInstruments[0],
  })
  @ObText(50)
  LocalInstrument?: string;

  @Optional({ description: "The payees' bank, of every payment; the file names it likewise, or not at all." })
  @ObObject(() => OBCreditorAgent)
  CreditorAgent?: OBCreditorAgent;

  @Optional({ description: 'Account to pay from. Left out, the customer chooses one.' })
  @ObObject(() => OBCashAccountDebtor4)
  DebtorAccount?: OBCashAccountDebtor4;

  @Optional({
    description: 'For whom the account is debited, of every payment; the file names them likewise, or not at all.',
  })
  @ObObject(() => OBUltimateDebtor1)
  UltimateDebtor?: OBUltimateDebtor1;

  @Optional({ description: 'What the payments are for that do not say so themselves.' })
  @ObObject(() => OBRemittanceInformation2)
  RemittanceInformation?: OBRemittanceInformation2;

  @Optional({ description: 'Members of your own; kept and returned.', example: {} })
  @ObAnyObject()
  SupplementaryData?: Record<string, unknown>;
}
