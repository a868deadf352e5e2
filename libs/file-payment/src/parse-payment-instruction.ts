import { accountFaultCodes, fieldInvalid, fieldInvalidDate, obErrorItem } from '#libs/error-envelope';
import {
  type AccountIdentification,
  findAccountFault,
  isLocalInstrument,
  isWholePence,
  type LocalInstrument,
  londonDay,
  normaliseSchemeName,
  parseAmount,
} from '#libs/obie-rules';
import { MemberReader, isJsonObject } from './member-reader.js';
import type { FaultList } from './fault-list.js';
import type { PaymentInstruction, ReadPayment } from './payment-instruction.js';

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

const amountForm = /^\d{1,13}(?:\.\d{1,5})?$/;
const currencyForm = /^[A-Z]{3}$/;
const countryForm = /^[A-Z]{2}$/;
/** Members of OBPostalAddress6 by their greatest length. */
const addressTexts = [
  ['Department', 70],
  ['SubDepartment', 70],
  ['StreetName', 70],
  ['BuildingNumber', 16],
  ['PostCode', 16],
  ['TownName', 35],
  ['CountrySubDivision', 35],
] as const;
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
  if (!isJsonObject(item)) {
    faults.note(() => fieldInvalid(path, 'must be an object'));
    return { hasUnusableInstrument: true };
  }
  const reader = new MemberReader(item, faults, path, undefined);
  // Members are set one by one: 150 times a dozen throw-away objects would be most of the garbage of an upload.
  const payment: Draft<ReadPayment> = {};
  set(payment, 'instructionIdentification', reader.requiredText('InstructionIdentification', 35));
  set(payment, 'endToEndIdentification', reader.optionalText('EndToEndIdentification', 35));
  readLocalInstrument(reader, payment);
  set(payment, 'requestedExecutionDate', readExecutionDate(reader, today));
  readInstructedAmount(reader, payment);
  const instrument = payment.localInstrument ?? consentInstrument;
  const debtor = reader.optionalObject('DebtorAccount');
  debtor?.optionalText('Name', 70);
  set(payment, 'debtorAccount', readAccount(debtor, instrument));
  set(payment, 'creditorAccount', readCreditorAccount(reader, instrument));
  set(payment, 'creditorPostalAddress', readPostalAddress(reader.optionalObject('CreditorPostalAddress')));
  const remittance = reader.optionalObject('RemittanceInformation');
  set(payment, 'unstructured', remittance?.optionalText('Unstructured', 140));
  set(payment, 'reference', remittance?.optionalText('Reference', 35));
  reader.optionalObject('SupplementaryData');
  return payment;
}

type Draft<Value> = { -readonly [Name in keyof Value]: Value[Name] };

function set<Value extends object, Name extends keyof Value>(
  draft: Value,
  name: Name,
  value: Value[Name] | undefined,
): void {
  if (value !== undefined) draft[name] = value;
}

function readLocalInstrument(reader: MemberReader, payment: Draft<ReadPayment>): void {
  if (!reader.has('LocalInstrument')) return;
  const value = reader.optionalText('LocalInstrument', 50);
  if (value !== undefined && isLocalInstrument(value)) {
    payment.localInstrument = value;
    return;
  }
  payment.hasUnusableInstrument = true;
  if (value === undefined) return;
  reader.fault('LocalInstrument', (path) =>
    obErrorItem(
      'UK.OBIE.Unsupported.LocalInstrument',
      `${path} must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.`,
      path,
    ),
  );
}

function readExecutionDate(reader: MemberReader, today: string): Date | undefined {
  const read = reader.optionalDateTime('RequestedExecutionDateTime');
  if (read !== undefined && londonDay(read.date) < today) {
    reader.fault('RequestedExecutionDateTime', (path) => fieldInvalidDate(path, 'must not be before today'));
  }
  return read?.date;
}

function readInstructedAmount(reader: MemberReader, payment: Draft<ReadPayment>): void {
  const money = reader.requiredObject('InstructedAmount');
  const text = money?.requiredMatch('Amount', amountForm, 'must be a string with a decimal amount such as "120.50"');
  const currency = money?.requiredMatch('Currency', currencyForm, 'must be three capital letters (ISO 4217)');
  if (money === undefined) return;
  const amount = text === undefined ? undefined : parseAmount(text);
  if (amount !== undefined && (amount === 0n || !isWholePence(amount))) {
    money.fault('Amount', (path) => fieldInvalid(path, 'must be more than zero and a whole number of pence'));
  }
  if (currency !== undefined && currency !== 'GBP') {
    money.fault('Currency', (path) => obErrorItem('UK.OBIE.Unsupported.Currency', `${path} must be GBP.`, path));
  }
  set(payment, 'amount', amount);
  set(payment, 'currency', currency);
}

function readAccount(
  account: MemberReader | undefined,
  localInstrument: LocalInstrument | undefined,
): AccountIdentification | undefined {
  const schemeName = account?.requiredText('SchemeName', 40);
  const identification = account?.requiredText('Identification', 256);
  const secondary = account?.optionalText('SecondaryIdentification', 34);
  if (account === undefined || schemeName === undefined || identification === undefined) return undefined;
  const read: Draft<AccountIdentification> = { SchemeName: schemeName, Identification: identification };
  if (secondary !== undefined) read.SecondaryIdentification = secondary;
  const fault = findAccountFault(read, localInstrument);
  if (fault !== undefined) {
    const code = accountFaultCodes[fault.member];
    account.fault(fault.member, (path) => obErrorItem(code, `${path} ${fault.rule}.`, path));
  }
  read.SchemeName = normaliseSchemeName(schemeName);
  return read;
}

function readCreditorAccount(
  reader: MemberReader,
  localInstrument: LocalInstrument | undefined,
): PaymentInstruction['creditorAccount'] | undefined {
  const creditor = reader.requiredObject('CreditorAccount');
  const account = readAccount(creditor, localInstrument);
  if (creditor === undefined) return undefined;
  const name = creditor.requiredText('Name', 70);
  return account === undefined || name === undefined ? undefined : Object.assign(account, { Name: name });
}

/** OBPostalAddress6, with at most two address lines. */
function readPostalAddress(address: MemberReader | undefined): Readonly<Record<string, unknown>> | undefined {
  if (address === undefined) return undefined;
  address.optionalMatch('AddressType', addressTypes, 'must be one of the address types of OBPostalAddress6');
  for (const [name, longest] of addressTexts) address.optionalText(name, longest);
  address.optionalMatch('Country', countryForm, 'must be two capital letters (ISO 3166)');
  address.optionalTexts('AddressLine', 2, 70);
  return address.pick(addressMembers);
}
