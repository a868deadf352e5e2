import { localInstruments, mostPayments } from '#libs/obie-rules';
import { debtorAccountMembers } from '../../form/debtor-account.js';
import { ObAnyObject, ObDateTime, ObDecimalNumber, ObEnum, ObMatch, ObText } from '../../form/rules.js';
import { Optional, Required } from '../../form/rules.js';
import { exampleControlSum } from '../example-file.js';

/**
 * @param example Data.Initiation of the version's example
 * @returns the first members of Data.Initiation that all versions share (OBFile2)
 */
export const initiationMembers = (
  version: string,
  { FileType, FileHash }: { readonly FileType: string; readonly FileHash: string },
) => ({
  FileType: Required(
    { description: `Format of the file: the JSON type of v${version}.`, example: FileType },
    ObEnum([FileType], `must be ${FileType}: v${version} accepts ${FileType} files`),
  ),
  FileHash: Required(
    { description: 'SHA-256, in Base64, of the bytes of the file that you will upload.', example: FileHash },
    ObMatch(/^[A-Za-z0-9+/]{43}=?$/, 'must be the base64 text of a SHA-256 value, 43 characters and one ='),
  ),
  FileReference: Optional({ description: 'Your name for the file.', example: 'PAYROLL-2030-01' }, ObText(40)),
  NumberOfTransactions: Optional(
    { description: `Number of payments in the file, 1 to ${mostPayments}.`, example: '2' },
    ObMatch(/^\d{1,15}$/, 'must be a string of 1 to 15 digits'),
  ),
  // A JSON number that keeps its decimal text.
  ControlSum: Optional(
    {
      description: 'Sum of all amounts in the file: above zero, at most five decimals. A JSON number.',
      example: exampleControlSum,
    },
    ObDecimalNumber(),
  ),
  RequestedExecutionDateTime: Optional(
    { description: 'Day of execution in London, today or later.', example: '2035-01-31T00:00:00+00:00' },
    ObDateTime(),
  ),
  LocalInstrument: Optional(
    { description: `Payment type of the whole file: ${localInstruments.join(', ')}.`, example: localInstruments[0] },
    ObText(50),
  ),
});

/** The last one. */
export const SupplementaryData = Optional(
  { description: 'Any members of your own. Stored and returned unchanged.', example: {} },
  ObAnyObject(),
);

/** The members of the account to debit that all versions share. A card is allowed only for a balance transfer. */
export const debtorAccount = debtorAccountMembers(
  'UK.OBIE.SortCodeAccountNumber, UK.OBIE.IBAN or UK.OBIE.BBAN; UK.OBIE.PAN for a balance transfer only.',
);
