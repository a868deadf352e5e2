import {
  accountFaultCodes,
  createFault,
  currencyUnsupported,
  fieldInvalid,
  fieldInvalidDate,
} from '#libs/error-catalogue';
import {
  type AccountIdentification,
  type AccountProxy,
  amountOfMoney,
  type BankRules,
  defaultLocalInstrument,
  findAccountFault,
  findReachFault,
  formatDecimal,
  isJsonObject,
  isLocalInstrument,
  isWholePence,
  type LocalInstrument,
  londonDay,
  longestOfPayment,
  normaliseSchemeName,
} from '#libs/obie-rules';
import type { FaultList } from './fault-list.js';
import type { PaymentFormat } from './formats/payment-format.js';
import { type JsonObject, MemberReader } from './member-reader.js';
import type { PaymentInstruction } from '#libs/payment-order';
import type { ReadPayment } from './read-payment.js';

const { Currency } = amountOfMoney.members;

/** The rules for reading an item. */
export interface ItemTerms {
  readonly format: PaymentFormat;
  /** payment type that the consent names, for items that name none */
  readonly consentInstrument: LocalInstrument | undefined;
  readonly bank: BankRules;
  /** the day in London, `YYYY-MM-DD` */
  readonly today: string;
}

/**
 * Reads one item of a file (the standard's domestic payment) and checks every member. It reads, in one order, what
 * formats share; what only one format has is in its file.
 * @param path of the array in the body as sent, or of a single item
 * @param index of the item in the array
 * @param faults receives every fault
 * @returns what could be read of it
 */
export function parsePaymentInstruction(options: {
  item: unknown;
  path: string;
  index?: number;
  terms: ItemTerms;
  faults: FaultList;
}): ReadPayment {
  const { item, path, index, terms, faults } = options;
  const reader = new MemberReader(faults, path, index);
  if (!isJsonObject(item)) {
    faults.note(() => fieldInvalid(index === undefined ? path : `${path}[${index}]`, 'must be an object'));
    return { hasUnusableInstrument: true, hasUnusableDate: true };
  }
  const { format, bank, today } = terms;
  const { known, further } = format;
  const instructionIdentification = reader.requiredText(
    'InstructionIdentification',
    item.InstructionIdentification,
    longestOfPayment.InstructionIdentification,
  );
  const endToEndIdentification = readEndToEndIdentification(reader, item.EndToEndIdentification, format);
  const localInstrument = readLocalInstrument(reader, item.LocalInstrument);
  const moment = format.hasExecutionDate ? item.RequestedExecutionDateTime : undefined;
  const requestedExecutionDate = readExecutionDate(reader, moment, today);
  const isUnnamed = item.LocalInstrument === undefined;
  const type = isUnnamed ? (terms.consentInstrument ?? defaultLocalInstrument) : localInstrument;
  const money = readInstructedAmount(reader, item.InstructedAmount, format, type && { type, most: bank.limits[type] });
  const accounts = {
    format,
    localInstrument: type,
    areWalletsPaid: bank.areWalletsPaid,
  };
  const debtorAccount = readDebtorAccount(reader, item.DebtorAccount, accounts);
  const creditor = readCreditorAccount(reader, item.CreditorAccount, accounts);
  const creditorPostalAddress = format.readPostalAddress(reader, 'CreditorPostalAddress', item.CreditorPostalAddress);
  const remittance = format.readRemittance(reader, item.RemittanceInformation);
  reader.optionalObject('SupplementaryData', item.SupplementaryData);
  if (known !== undefined) reader.onlyMembers(item, known.item);
  const details = further?.readDetails(reader, item);
  // Listed one by one: V8 makes this much faster than a spread.
  return {
    instructionIdentification,
    endToEndIdentification,
    localInstrument,
    hasUnusableInstrument: !isUnnamed && localInstrument === undefined,
    requestedExecutionDate,
    hasUnusableDate: moment !== undefined && requestedExecutionDate === undefined,
    amount: money?.amount,
    currency: money?.currency,
    debtorAccount,
    creditorAccount: creditor?.creditorAccount,
    creditorProxy: creditor?.creditorProxy,
    creditorPostalAddress,
    unstructured: remittance?.unstructured,
    reference: remittance?.reference,
    structuredRemittance: remittance?.structuredRemittance,
    payeeAgent: details?.payeeAgent,
    ultimatePayee: details?.ultimatePayee,
    ultimatePayer: details?.ultimatePayer,
    regulatoryReporting: details?.regulatoryReporting,
  };
}

function readEndToEndIdentification(reader: MemberReader, value: unknown, format: PaymentFormat): string | undefined {
  const name = 'EndToEndIdentification';
  return format.isEndToEndIdentificationRequired
    ? reader.requiredText(name, value, longestOfPayment[name])
    : reader.optionalText(name, value, longestOfPayment[name]);
}

function readLocalInstrument(reader: MemberReader, value: unknown): LocalInstrument | undefined {
  const text = reader.optionalText('LocalInstrument', value, 50);
  if (text === undefined || isLocalInstrument(text)) return text;
  reader.fault('LocalInstrument', (path) =>
    createFault(
      'Unsupported.LocalInstrument',
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
  { known }: PaymentFormat,
  limit: { type: LocalInstrument; most: bigint | undefined } | undefined,
): Partial<Pick<PaymentInstruction, 'amount' | 'currency'>> | undefined {
  const money = item.requiredObject('InstructedAmount', value);
  if (money === undefined) return undefined;
  const reader = item.in('InstructedAmount');
  if (known !== undefined) reader.onlyMembers(money, known.amount);
  const amount = reader.requiredAmount('Amount', money.Amount);
  const currency = reader.requiredMatch('Currency', money.Currency, Currency.form, Currency.rule);
  if (amount !== undefined && (amount === 0n || !isWholePence(amount))) {
    reader.fault('Amount', (path) => fieldInvalid(path, 'must be more than zero and a whole number of pence'));
  }
  const most = limit?.most;
  if (amount !== undefined && most !== undefined && amount > most) {
    const rule = `must be at most ${formatDecimal(most)} in a payment of ${limit?.type}`;
    reader.fault('Amount', (path) => fieldInvalid(path, rule));
  }
  if (currency !== undefined && currency !== 'GBP') {
    reader.fault('Currency', currencyUnsupported);
  }
  return { amount, currency };
}

/** The rules for reading an account. */
interface AccountTerms {
  readonly format: PaymentFormat;
  /** type of the payment, as far as it is known */
  readonly localInstrument: LocalInstrument | undefined;
  readonly areWalletsPaid: boolean;
}

function readDebtorAccount(
  item: MemberReader,
  value: unknown,
  { format, localInstrument }: AccountTerms,
): AccountIdentification | undefined {
  const debtor = item.optionalObject('DebtorAccount', value);
  if (debtor === undefined) return undefined;
  const reader = item.in('DebtorAccount');
  reader.optionalText('Name', debtor.Name, format.longestName);
  const account = readAccount(reader, debtor, { localInstrument });
  if (format.known !== undefined) reader.onlyMembers(debtor, format.known.account);
  format.further?.readAccount(reader, debtor);
  return account;
}

function readCreditorAccount(
  item: MemberReader,
  value: unknown,
  { format, localInstrument, areWalletsPaid }: AccountTerms,
): { creditorAccount: PaymentInstruction['creditorAccount']; creditorProxy?: AccountProxy | undefined } | undefined {
  const creditor = item.requiredObject('CreditorAccount', value);
  if (creditor === undefined) return undefined;
  const reader = item.in('CreditorAccount');
  const account = readAccount(reader, creditor, { localInstrument, isPayee: true, areWalletsPaid });
  const Name = reader.requiredText('Name', creditor.Name, format.longestName);
  if (format.known !== undefined) reader.onlyMembers(creditor, format.known.account);
  const creditorProxy = format.further?.readAccount(reader, creditor);
  if (account === undefined || Name === undefined) return undefined;
  const { SchemeName, Identification, SecondaryIdentification } = account;
  return { creditorAccount: { SchemeName, Identification, SecondaryIdentification, Name }, creditorProxy };
}

function readAccount(
  reader: MemberReader,
  account: JsonObject,
  given: { localInstrument: LocalInstrument | undefined; isPayee?: true; areWalletsPaid?: boolean },
): AccountIdentification | undefined {
  const schemeName = reader.requiredText('SchemeName', account.SchemeName, longestOfPayment.SchemeName);
  const Identification = reader.requiredText('Identification', account.Identification, longestOfPayment.Identification);
  const SecondaryIdentification = reader.optionalText(
    'SecondaryIdentification',
    account.SecondaryIdentification,
    longestOfPayment.SecondaryIdentification,
  );
  if (schemeName === undefined || Identification === undefined) return undefined;
  const read = { SchemeName: normaliseSchemeName(schemeName), Identification, SecondaryIdentification };
  const { localInstrument, isPayee, areWalletsPaid } = given;
  const fault =
    findAccountFault(read, localInstrument, areWalletsPaid) ??
    (isPayee ? findReachFault(read, localInstrument) : undefined);
  if (fault !== undefined) {
    const code = accountFaultCodes[fault.member];
    reader.fault(fault.member, (path) => createFault(code, `${path} ${fault.rule}.`, path));
  }
  return read;
}
