import { fieldInvalid, fieldInvalidDate, obErrorItem } from '#libs/error-envelope';
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

const addressTypes = /^(?:Business|Correspondence|DeliveryTo|MailTo|POBox|Postal|Residential|Statement)$/;

/**
 * Reads one item of a file and checks every member of it (reference 2.12, brief sections 2.2 and 2.3). Unknown members
 * and a PaymentId, which only this service assigns, are ignored.
 * @param path makes the path of the item in the body as sent
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
  path: () => string;
  consentInstrument: LocalInstrument | undefined;
  today: string;
  faults: FaultList;
}): ReadPayment {
  if (!isJsonObject(item)) {
    faults.note(() => fieldInvalid(path(), 'must be an object'));
    return { hasUnusableInstrument: true };
  }
  const reader = new MemberReader(item, path, faults);
  const instructionIdentification = reader.requiredText('InstructionIdentification', 35);
  const endToEndIdentification = reader.optionalText('EndToEndIdentification', 35);
  const instrument = readLocalInstrument(reader);
  const { localInstrument } = instrument;
  const requestedExecutionDate = readExecutionDate(reader, today);
  const money = readInstructedAmount(reader);
  const debtor = reader.optionalObject('DebtorAccount');
  debtor?.optionalText('Name', 70);
  const debtorAccount = readAccount(debtor, localInstrument ?? consentInstrument);
  const creditorAccount = readCreditorAccount(reader, localInstrument ?? consentInstrument);
  const creditorPostalAddress = readPostalAddress(reader.optionalObject('CreditorPostalAddress'));
  const remittance = reader.optionalObject('RemittanceInformation');
  const unstructured = remittance?.optionalText('Unstructured', 140);
  const reference = remittance?.optionalText('Reference', 35);
  reader.optionalObject('SupplementaryData');
  return {
    ...(instructionIdentification === undefined ? {} : { instructionIdentification }),
    ...(endToEndIdentification === undefined ? {} : { endToEndIdentification }),
    ...instrument,
    ...(requestedExecutionDate === undefined ? {} : { requestedExecutionDate }),
    ...money,
    ...(debtorAccount === undefined ? {} : { debtorAccount }),
    ...(creditorAccount === undefined ? {} : { creditorAccount }),
    ...(reference === undefined ? {} : { reference }),
    ...(unstructured === undefined ? {} : { unstructured }),
    ...(creditorPostalAddress === undefined ? {} : { creditorPostalAddress }),
  };
}

function readLocalInstrument(reader: MemberReader): Pick<ReadPayment, 'localInstrument' | 'hasUnusableInstrument'> {
  const value = reader.optionalText('LocalInstrument', 50);
  if (value === undefined) return reader.has('LocalInstrument') ? { hasUnusableInstrument: true } : {};
  if (isLocalInstrument(value)) return { localInstrument: value };
  reader.fault('LocalInstrument', (path) =>
    obErrorItem(
      'UK.OBIE.Unsupported.LocalInstrument',
      `${path} must be UK.OBIE.FPS, UK.OBIE.BACS, UK.OBIE.CHAPS or UK.OBIE.BalanceTransfer.`,
      path,
    ),
  );
  return { hasUnusableInstrument: true };
}

function readExecutionDate(reader: MemberReader, today: string): Date | undefined {
  const read = reader.optionalDateTime('RequestedExecutionDateTime');
  if (read !== undefined && londonDay(read.date) < today) {
    reader.fault('RequestedExecutionDateTime', (path) => fieldInvalidDate(path, 'must not be before today'));
  }
  return read?.date;
}

function readInstructedAmount(reader: MemberReader): Pick<ReadPayment, 'amount' | 'currency'> {
  const money = reader.requiredObject('InstructedAmount');
  const text = money?.requiredMatch(
    'Amount',
    /^\d{1,13}(?:\.\d{1,5})?$/,
    'must be a string with a decimal amount such as "120.50"',
  );
  const currency = money?.requiredMatch('Currency', /^[A-Z]{3}$/, 'must be three capital letters (ISO 4217)');
  if (money === undefined) return {};
  const amount = text === undefined ? undefined : parseAmount(text);
  if (amount !== undefined && (amount === 0n || !isWholePence(amount))) {
    money.fault('Amount', (path) => fieldInvalid(path, 'must be more than zero and a whole number of pence'));
  }
  if (currency !== undefined && currency !== 'GBP') {
    money.fault('Currency', (path) => obErrorItem('UK.OBIE.Unsupported.Currency', `${path} must be GBP.`, path));
  }
  return { ...(amount === undefined ? {} : { amount }), ...(currency === undefined ? {} : { currency }) };
}

function readAccount(
  account: MemberReader | undefined,
  localInstrument: LocalInstrument | undefined,
): (AccountIdentification & { SecondaryIdentification?: string }) | undefined {
  const schemeName = account?.requiredText('SchemeName', 40);
  const identification = account?.requiredText('Identification', 256);
  const secondary = account?.optionalText('SecondaryIdentification', 34);
  if (account === undefined || schemeName === undefined || identification === undefined) return undefined;
  const read = { SchemeName: schemeName, Identification: identification };
  const fault = findAccountFault(read, localInstrument);
  if (fault !== undefined) {
    const code = fault.member === 'SchemeName' ? 'UK.OBIE.Unsupported.Scheme' : 'UK.OBIE.Unsupported.AccountIdentifier';
    account.fault(fault.member, (path) => obErrorItem(code, `${path} ${fault.rule}.`, path));
  }
  return {
    SchemeName: normaliseSchemeName(schemeName),
    Identification: identification,
    ...(secondary === undefined ? {} : { SecondaryIdentification: secondary }),
  };
}

function readCreditorAccount(
  reader: MemberReader,
  localInstrument: LocalInstrument | undefined,
): PaymentInstruction['creditorAccount'] | undefined {
  const creditor = reader.requiredObject('CreditorAccount');
  const account = readAccount(creditor, localInstrument);
  if (creditor === undefined) return undefined;
  const name = creditor.requiredText('Name', 70);
  return account === undefined || name === undefined ? undefined : { ...account, Name: name };
}

/** OBPostalAddress6, with the two address lines of the brief. */
function readPostalAddress(address: MemberReader | undefined): Readonly<Record<string, unknown>> | undefined {
  if (address === undefined) return undefined;
  address.optionalMatch('AddressType', addressTypes, 'must be one of the address types of OBPostalAddress6');
  for (const name of ['Department', 'SubDepartment', 'StreetName']) address.optionalText(name, 70);
  for (const name of ['BuildingNumber', 'PostCode']) address.optionalText(name, 16);
  for (const name of ['TownName', 'CountrySubDivision']) address.optionalText(name, 35);
  address.optionalMatch('Country', /^[A-Z]{2}$/, 'must be two capital letters (ISO 3166)');
  address.optionalTexts('AddressLine', 2, 70);
  return address.pick(addressMembers);
}
