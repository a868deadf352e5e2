import type { LosslessNumber } from 'lossless-json';
import { localInstruments, mostPayments } from '#libs/obie-rules';
import { debtorAccountOf } from '../../form/debtor-account.js';
import { ObDateTime, ObDecimalNumber, ObEnum, ObMatch, ObText, Optional, Required } from '../../form/rules.js';
import { exampleControlSum } from '../example-file.js';

/**
 * @param example Data.Initiation of the version's example
 * @returns the members of Data.Initiation that all versions share (OBFile2)
 */
export function initiationOf(version: string, example: { readonly FileType: string; readonly FileHash: string }) {
  const { FileType, FileHash } = example;

  class InitiationMembers {
    @Required({ description: `Format of the file: the JSON type of v${version}.`, example: FileType })
    @ObEnum([FileType], `must be ${FileType}: v${version} accepts ${FileType} files`)
    FileType!: string;

    @Required({
      description: 'SHA-256, in Base64, of the bytes of the file that you will upload.',
      example: FileHash,
    })
    @ObMatch(/^[A-Za-z0-9+/]{43}=?$/, 'must be the base64 text of a SHA-256 value, 43 characters and one =')
    FileHash!: string;

    @Optional({ description: 'Your name for the file.', example: 'PAYROLL-2030-01' })
    @ObText(40)
    FileReference?: string;

    @Optional({ description: `Number of payments in the file, 1 to ${mostPayments}.`, example: '2' })
    @ObMatch(/^\d{1,15}$/, 'must be a string of 1 to 15 digits')
    NumberOfTransactions?: string;

    // A JSON number that keeps its decimal text.
    @Optional({
      description: 'Sum of all amounts in the file: above zero, at most five decimals. A JSON number.',
      example: exampleControlSum,
    })
    @ObDecimalNumber()
    ControlSum?: LosslessNumber;

    @Optional({ description: 'Day of execution in London, today or later.', example: '2035-01-31T00:00:00+00:00' })
    @ObDateTime()
    RequestedExecutionDateTime?: string;

    @Optional({
      description: `Payment type of the whole file: ${localInstruments.join(', ')}.`,
      example: localInstruments[0],
    })
    @ObText(50)
    LocalInstrument?: string;
  }

  return InitiationMembers;
}

/** The members of the account to debit that all versions share. A card is allowed only for a balance transfer. */
export const DebtorAccountMembers = debtorAccountOf(
  'UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN; UK.OBIE.PAN for a balance transfer only.',
);
