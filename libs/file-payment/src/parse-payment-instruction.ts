import { accountFaultCodes, fieldInvalid, fieldInvalidDate, obErrorItem } from '#libs/error-envelope';
import {
  type AccountIdentification,
  findAccountFault,
  isJsonObject,
  isLocalInstrument,
  isWholePence,
  type LocalInstrument,
  londonDay,
  normaliseSchemeName,
} from '#libs/obie-rules';
import { type JsonObject, MemberReader } from './member-reader.js';
import type { FaultList } from './fault-list.js';
import type { PaymentInstruction, ReadPayment } from './payment-instruction.js';

const currencyForm = /^[A-Z]{3}$/;
const countryForm = /^[A-Z]{2}$/;
const addressTypes = /^(?:Business|Correspondence|DeliveryTo|MailTo|POBox|Postal|Residential|Statement)$/;

/**
 * Reads one item of a file and checks every member of it (the standard's domestic payment). Unknown members
 * and a PaymentId, which only this service assigns, are ignored.
 * @param path of the item in the body as sent
 * @param consentInstrument payment type that the consent names, for items that name none
 * @param today the day in London, `YYYY-MM-DD`
 * @param faults where every fault is added
 * @returns whatever could be read of it
 */
export function parsePaymentInstruction({
  item,
  path,
  consentInstrument,
  today,
  faults,
}: {
  item: unknown;
  path: string;
  consentInstrument: LocalInstrument | undefined;
  today: string;
  faults: FaultList;
}): ReadPayment {
  const reader = new MemberReader(faults, path);
  if (!isJsonObject(item)) {
    faults.note(() => fieldInvalid(path, 'must be an object'));
    return { hasUnusableInstrument: true };
  }
  const instructionIdentification = reader.requiredText(
    'InstructionIdentification',
    item.InstructionIdentification,
    35,
  );
  const endToEndIdentification = reader.optionalText('EndToEndIdentification', item.EndToEndIdentification, 35);
  const localInstrument = readLocalInstrument(reader, item.LocalInstrument);
  const requestedExecutionDate = readExecutionDate(reader, item.RequestedExecutionDateTime, today);
  const money = readInstructedAmount(reader, item.InstructedAmount);
  const instrument = localInstrument ?? consentInstrument;
  const debtorAccount = readDebtorAccount(reader, item.DebtorAccount, instrument);
  const creditorAccount = readCreditorAccount(reader, item.CreditorAccount, instrument);
  const creditorPostalAddress = readPostalAddress(reader, item.CreditorPostalAddress);
  const remittance = readRemittanceInformation(reader, item.RemittanceInformation);
  reader.optionalObject('SupplementaryData', item.SupplementaryData);
  return {
    instructionIdentification,
    endToEndIdentification,
    localInstrument,
    hasUnusableInstrument: item.LocalInstrument !== undefined && localInstrument === undefined,
    requestedExecutionDate,
    amount: money?.amount,
    currency: money?.currency,
    debtorAccount,
    creditorAccount,
    creditorPostalAddress,
    unstructured: remittance?.unstructured,
    reference: remittance?.reference,
  };
}

function readLocalInstrument(reader: MemberReader, value: unknown): LocalInstrument | undefined {
  const text = reader.optionalText('LocalInstrument', value, 50);
  if (text === undefined || isLocalInstrument(text)) return text;
  reader.fault('LocalInstrument', (path) =>
    obErrorItem(
      'UK.OBIE.Unsupported.LocalInstrument',
      `${path} must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.`,
      path,
    ),
  );
  return undefined;
}

function readExecutionDate(reader: MemberReader, value: unknown, today: string): Date | undefined {
  const date = reader.optionalDateTime('RequestedExecutionDateTime', value);
  if (date !== undefined && londonDay(date) < today) {
    reader.fault('RequestedExecutionDateTime', (path) => fieldInvalidDate(path, 'must not be before today'));
  }
  return date;
}

function readInstructedAmount(
  item: MemberReader,
  value: unknown,
): Partial<Pick<PaymentInstruction, 'amount' | 'currency'>> | undefined {
  const money = item.requiredObject('InstructedAmount', value);
  if (money === undefined) return undefined;
  const reader = item.in('InstructedAmount');
  const amount = reader.requiredAmount('Amount', money.Amount);
  const currency = reader.requiredMatch(
    'Currency',
    money.Currency,
    currencyForm,
    'must be three capital letters (ISO 4217)',
  );
  if (amount !== undefined && (amount === 0n || !isWholePence(amount))) {
    reader.fault('Amount', (path) => fieldInvalid(path, 'must be more than zero and a whole number of pence'));
  }
  if (currency !== undefined && currency !== 'GBP') {
    reader.fault('Currency', (path) => obErrorItem('UK.OBIE.Unsupported.Currency', `${path} must be GBP.`, path));
  }
  return { amount, currency };
}

function readDebtorAccount(
  item: MemberReader,
  value: unknown,
  localInstrument: LocalInstrument | undefined,
): AccountIdentification | undefined {
  const debtor = item.optionalObject('DebtorAccount', value);
  if (debtor === undefined) return undefined;
  const reader = item.in('DebtorAccount');
  reader.optionalText('Name', debtor.Name, 70);
  return readAccount(reader, debtor, localInstrument);
}

function readCreditorAccount(
  item: MemberReader,
  value: unknown,
  localInstrument: LocalInstrument | undefined,
): PaymentInstruction['creditorAccount'] | undefined {
  const creditor = item.requiredObject('CreditorAccount', value);
  if (creditor === undefined) return undefined;
  const reader = item.in('CreditorAccount');
  const account = readAccount(reader, creditor, localInstrument);
  const Name = reader.requiredText('Name', creditor.Name, 70);
  if (account === undefined || Name === undefined) return undefined;
  const { SchemeName, Identification, SecondaryIdentification } = account;
  return { SchemeName, Identification, SecondaryIdentification, Name };
}

function readAccount(
  reader: MemberReader,
  account: JsonObject,
  localInstrument: LocalInstrument | undefined,
): AccountIdentification | undefined {
  const schemeName = reader.requiredText('SchemeName', account.SchemeName, 40);
  const Identification = reader.requiredText('Identification', account.Identification, 256);
  const SecondaryIdentification = reader.optionalText('SecondaryIdentification', account.SecondaryIdentification, 34);
  if (schemeName === undefined || Identification === undefined) return undefined;
  const read = { SchemeName: normaliseSchemeName(schemeName), Identification, SecondaryIdentification };
  const fault = findAccountFault(read, localInstrument);
  if (fault !== undefined) {
    const code = accountFaultCodes[fault.member];
    reader.fault(fault.member, (path) => obErrorItem(code, `${path} ${fault.rule}.`, path));
  }
  return read;
}

/** OBPostalAddress6, with at most two address lines. */
function readPostalAddress(item: MemberReader, value: unknown): JsonObject | undefined {
  const address = item.optionalObject('CreditorPostalAddress', value);
  if (address === undefined) return undefined;
  const reader = item.in('CreditorPostalAddress');
  const rule = 'must be one of the address types of OBPostalAddress6';
  reader.optionalMatch('AddressType', address.AddressType, addressTypes, rule);
  reader.optionalText('Department', address.Department, 70);
  reader.optionalText('SubDepartment', address.SubDepartment, 70);
  reader.optionalText('StreetName', address.StreetName, 70);
  reader.optionalText('BuildingNumber', address.BuildingNumber, 16);
  reader.optionalText('PostCode', address.PostCode, 16);
  reader.optionalText('TownName', address.TownName, 35);
  reader.optionalText('CountrySubDivision', address.CountrySubDivision, 35);
  reader.optionalMatch('Country', address.Country, countryForm, 'must be two capital letters (ISO 3166)');
  reader.optionalTexts('AddressLine', address.AddressLine, 2, 70);
  return address;
}

function readRemittanceInformation(
  item: MemberReader,
  value: unknown,
): Pick<PaymentInstruction, 'unstructured' | 'reference'> | undefined {
  const remittance = item.optionalObject('RemittanceInformation', value);
  if (remittance === undefined) return undefined;
  const reader = item.in('RemittanceInformation');
  const unstructured = reader.optionalText('Unstructured', remittance.Unstructured, 140);
  const reference = reader.optionalText('Reference', remittance.Reference, 35);
  return { unstructured, reference };
}

const addressMembers = [
  'AddressType',
  'Department',
  'SubDepartment',
  'StreetName',
  'BuildingNumber',
  'PostCode',
  'TownName',
  'CountrySubDivision',
  'Country',
  'AddressLine',
] as const;

/** @returns the members of OBPostalAddress6 that are there, as sent */
export function knownAddressMembers(address: JsonObject): JsonObject {
  const known: Record<string, unknown> = {};
  for (const name of addressMembers) if (address[name] !== undefined) known[name] = address[name];
  return known;
}
