import type { OBFile2 } from './ob-file.dto.js';
import { fieldInvalid, fieldInvalidDate, obErrorItem, type ObErrorItem } from '#libs/error-envelope';
import { mostPayments } from '#libs/file-payment';
import {
  findAccountFault,
  isLocalInstrument,
  londonDay,
  parseDateTime,
  parseDecimalNumber,
  parseFileHash,
} from '#libs/obie-rules';

const path = 'Data.Initiation';

/**
 * The rules on Data.Initiation that go beyond the form of single members (reference 2.3, 3, 6.3). A fault that can be
 * seen when the consent is made is refused then.
 * @param file members of the right form
 */
export function verifyInitiation(file: OBFile2, now: Date): ObErrorItem[] {
  return [
    ...verifyHash(file),
    ...verifyNumberOfTransactions(file),
    ...verifyControlSum(file),
    ...verifyExecutionDate(file, now),
    ...verifyLocalInstrument(file),
    ...verifyDebtorAccount(file),
  ];
}

function verifyHash({ FileHash }: OBFile2): ObErrorItem[] {
  return parseFileHash(FileHash) ? [] : [fieldInvalid(`${path}.FileHash`, 'must be the base64 text of 32 octets')];
}

function verifyNumberOfTransactions({ NumberOfTransactions }: OBFile2): ObErrorItem[] {
  if (NumberOfTransactions === undefined) return [];
  const count = Number(NumberOfTransactions);
  return count >= 1 && count <= mostPayments
    ? []
    : [fieldInvalid(`${path}.NumberOfTransactions`, `must be from 1 to ${mostPayments}`)];
}

function verifyControlSum({ ControlSum }: OBFile2): ObErrorItem[] {
  if (ControlSum === undefined) return [];
  const units = parseDecimalNumber(ControlSum.value);
  return units !== undefined && units > 0n
    ? []
    : [fieldInvalid(`${path}.ControlSum`, 'must be a number above zero with at most five decimals')];
}

function verifyExecutionDate({ RequestedExecutionDateTime }: OBFile2, now: Date): ObErrorItem[] {
  const date = RequestedExecutionDateTime === undefined ? undefined : parseDateTime(RequestedExecutionDateTime);
  return date === undefined || londonDay(date) >= londonDay(now)
    ? []
    : [fieldInvalidDate(`${path}.RequestedExecutionDateTime`, 'must not be before today')];
}

function verifyLocalInstrument({ LocalInstrument }: OBFile2): ObErrorItem[] {
  return LocalInstrument === undefined || isLocalInstrument(LocalInstrument)
    ? []
    : [
        obErrorItem(
          'UK.OBIE.Unsupported.LocalInstrument',
          `${path}.LocalInstrument must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.`,
          `${path}.LocalInstrument`,
        ),
      ];
}

function verifyDebtorAccount({ DebtorAccount, LocalInstrument }: OBFile2): ObErrorItem[] {
  if (DebtorAccount === undefined) return [];
  const instrument = LocalInstrument !== undefined && isLocalInstrument(LocalInstrument) ? LocalInstrument : undefined;
  const fault = findAccountFault(DebtorAccount, instrument);
  if (fault === undefined) return [];
  const member = `${path}.DebtorAccount.${fault.member}`;
  const code = fault.member === 'SchemeName' ? 'UK.OBIE.Unsupported.Scheme' : 'UK.OBIE.Unsupported.AccountIdentifier';
  return [obErrorItem(code, `${member} ${fault.rule}.`, member)];
}
