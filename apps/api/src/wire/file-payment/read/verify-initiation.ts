import { accountFaultCodes, createFault, type Fault, fieldInvalid, fieldInvalidDate } from '#libs/error-catalogue';
import {
  type BankRules,
  findAccountFault,
  formatDecimal,
  isLocalInstrument,
  londonDay,
  parseDateTime,
  parseDecimalNumber,
  parseFileHash,
} from '#libs/obie-rules';
import type { Initiation } from '#libs/consent';
import type { SoundMembers } from '../../form/sound-members.js';

const path = 'Data.Initiation';

/**
 * The rules on Data.Initiation beyond the form of single members. Faults are refused as early as possible, when the
 * consent is created.
 * @param sound the members of valid form; only these are checked
 */
export function verifyInitiation(
  file: Initiation,
  sound: SoundMembers,
  { now, bank }: { now: Date; bank: BankRules },
): Fault[] {
  const rules: Partial<Record<keyof Initiation, () => Fault[]>> = {
    FileHash: () => verifyHash(file),
    NumberOfTransactions: () => verifyNumberOfTransactions(file, bank),
    ControlSum: () => verifyControlSum(file, bank),
    RequestedExecutionDateTime: () => verifyExecutionDate(file, now),
    LocalInstrument: () => verifyLocalInstrument(file),
    DebtorAccount: () => verifyDebtorAccount(file, sound),
  };
  return Object.entries(rules).flatMap(([name, verify]) => (sound.has(`${path}.${name}`) ? verify() : []));
}

function verifyHash({ FileHash }: Initiation): Fault[] {
  return parseFileHash(FileHash) ? [] : [fieldInvalid(`${path}.FileHash`, 'must be the base64 text of 32 bytes')];
}

function verifyNumberOfTransactions({ NumberOfTransactions }: Initiation, { mostPayments }: BankRules): Fault[] {
  if (NumberOfTransactions === undefined) return [];
  const count = Number(NumberOfTransactions);
  return count >= 1 && count <= mostPayments
    ? []
    : [fieldInvalid(`${path}.NumberOfTransactions`, `must be from 1 to ${mostPayments}`)];
}

/**
 * An amount has at most 13 digits before and 5 after the point (OBActiveCurrencyAndAmount_SimpleType), which bounds the
 * sum of a file, in units of 0.00001.
 */
const aboveAmounts = 10n ** 18n;

function verifyControlSum(
  { ControlSum, NumberOfTransactions, LocalInstrument = '' }: Initiation,
  { mostPayments, limits }: BankRules,
): Fault[] {
  if (ControlSum === undefined) return [];
  const units = parseDecimalNumber(ControlSum.value);
  if (units === undefined || units <= 0n) {
    return [fieldInvalid(`${path}.ControlSum`, 'must be a number above zero with at most five decimals')];
  }
  const most = isLocalInstrument(LocalInstrument) ? limits[LocalInstrument] : undefined;
  const stated = Number(NumberOfTransactions);
  const count = Number.isInteger(stated) && stated >= 1 && stated <= mostPayments ? stated : mostPayments;
  if (most !== undefined && units > BigInt(count) * most) {
    const rule = `exceeds ${count} payments of ${LocalInstrument}: each may have at most ${formatDecimal(most)}`;
    return [fieldInvalid(`${path}.ControlSum`, rule)];
  }
  return units < BigInt(mostPayments) * aboveAmounts
    ? []
    : [fieldInvalid(`${path}.ControlSum`, `exceeds the largest possible sum of ${mostPayments} payments`)];
}

function verifyExecutionDate({ RequestedExecutionDateTime }: Initiation, now: Date): Fault[] {
  const date = RequestedExecutionDateTime === undefined ? undefined : parseDateTime(RequestedExecutionDateTime);
  return date === undefined || londonDay(date) >= londonDay(now)
    ? []
    : [fieldInvalidDate(`${path}.RequestedExecutionDateTime`, 'must not be before today')];
}

function verifyLocalInstrument({ LocalInstrument }: Initiation): Fault[] {
  return LocalInstrument === undefined || isLocalInstrument(LocalInstrument)
    ? []
    : [
        createFault(
          'Unsupported.LocalInstrument',
          `${path}.LocalInstrument must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.`,
          `${path}.LocalInstrument`,
        ),
      ];
}

function verifyDebtorAccount({ DebtorAccount, LocalInstrument }: Initiation, sound: SoundMembers): Fault[] {
  const account = `${path}.DebtorAccount`;
  if (DebtorAccount === undefined) return [];
  if (!sound.has(`${account}.SchemeName`) || !sound.has(`${account}.Identification`)) return [];
  const instrument = LocalInstrument !== undefined && isLocalInstrument(LocalInstrument) ? LocalInstrument : undefined;
  const fault = findAccountFault(DebtorAccount, instrument);
  if (fault === undefined) return [];
  const member = `${account}.${fault.member}`;
  return [createFault(accountFaultCodes[fault.member], `${member} ${fault.rule}.`, member)];
}
