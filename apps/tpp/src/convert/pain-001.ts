import { DOMParser, type Element, ParseError } from '@xmldom/xmldom';
import type { ApiVersion } from '../read-write/api-version.js';
import {
  type Converted,
  type Fault,
  mostPayments,
  refuse,
  type SupplierPayment,
  toPence,
  toPounds,
  withPence,
} from './converted-file.js';
import { Findings, quoted } from './findings.js';
import { find, nameOtherElements, textOf } from './pain-001-elements.js';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.08';
const mostParserCharacters = 150;

type Fail = (element: Element, message: string) => void;

/** Converts a customer credit transfer initiation, pain.001.001.08. Its number and sum must match its transfers. */
export function convertPain001(text: string, version: ApiVersion): Converted {
  // Entities could expand a small document into a large one.
  const doctype = text.indexOf('<!DOCTYPE');
  const foreign = text.indexOf('\uFFFD');
  if (foreign >= 0) return refuse(lineOf(text, foreign), 'The document is neither in UTF-8 nor in UTF-16 with a mark.');
  if (doctype >= 0) return refuse(lineOf(text, doctype), 'A document type is not accepted.');
  const root = parse(text);
  if ('faults' in root) return root;
  if (root.namespaceURI !== namespace || root.localName !== 'Document') {
    return refuse(root.lineNumber ?? 1, `The document must be a Document of ${namespace}.`);
  }
  return convertTransfers(root, version);
}

function convertTransfers(root: Element, version: ApiVersion): Converted {
  const findings = new Findings();
  const fail: Fail = ({ lineNumber }, message) => findings.fail(lineNumber ?? 1, message);
  const transfers = [...root.getElementsByTagNameNS(namespace, 'CdtTrfTxInf')];
  if (transfers.length === 0) fail(root, 'There is no CdtTrfTxInf.');
  const payments = new Map(transfers.map((transfer) => [transfer, readTransfer(transfer, fail)]));
  for (const method of root.getElementsByTagNameNS(namespace, 'PmtMtd'))
    if (textOf(method) !== 'TRF') fail(method, `PmtMtd must be TRF, a transfer, not ${quoted(textOf(method))}.`);
  const surplus = transfers[mostPayments];
  if (surplus !== undefined) fail(surplus, `A file holds at most ${mostPayments} payments.`);
  const batches = [...root.getElementsByTagNameNS(namespace, 'PmtInf')];
  verifyOnePayer(batches, fail);
  const execution = readExecution(batches, fail);
  nameOtherElements(root, findings);
  if (!findings.areFaults) verifyTotals(root, payments, fail);
  const inOrder = [...payments].map(([{ lineNumber }, payment]) => ({ line: lineNumber ?? 1, payment }));
  return findings.convert(inOrder, { version, execution });
}

const payerOf = (batch: Element): string =>
  `${textOf(find(batch, ['DbtrAcct', 'Id']))} ${textOf(find(batch, ['DbtrAgt', 'FinInstnId']))}`;

function verifyOnePayer(batches: readonly Element[], fail: Fail): void {
  const [first] = batches;
  const other = batches.find((batch) => first !== undefined && payerOf(batch) !== payerOf(first));
  if (other !== undefined) fail(find(other, ['DbtrAcct']) ?? other, 'DbtrAcct names a second payer: a file has one.');
}

/** One file, one day. */
function readExecution(batches: readonly Element[], fail: Fail): { line: number; date: string } | undefined {
  const dates = batches.map((batch) => ({ batch, element: find(batch, ['ReqdExctnDt', 'Dt']) }));
  const date = textOf(dates[0]?.element);
  const other = dates.find(({ element }) => textOf(element) !== date);
  if (other !== undefined) fail(other.element ?? other.batch, 'ReqdExctnDt names a second day: a file has one.');
  const [{ element } = {}] = dates;
  if (element === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) fail(element, `ReqdExctnDt/Dt must be a day, not ${quoted(date)}.`);
  return { line: element.lineNumber ?? 1, date };
}

function parse(text: string): Element | { faults: readonly Fault[] } {
  try {
    const { documentElement } = new DOMParser({ onError: stopAtFault }).parseFromString(text, 'text/xml');
    return documentElement ?? refuse(1, 'The document is empty.');
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const locator = error.locator as { lineNumber?: number } | undefined;
    const said = error.message.replace(/^.* caused ParseError: /, '').split('\n')[0] ?? '';
    return refuse(locator?.lineNumber || 1, `This is not XML: ${said.slice(0, mostParserCharacters)}.`);
  }
}

function stopAtFault(
  _level: 'warning' | 'error' | 'fatalError',
  message: string,
  context: { locator?: unknown },
): never {
  throw new ParseError(message, context.locator);
}

function readTransfer(transfer: Element, fail: Fail): SupplierPayment {
  const read = (...names: string[]): string => textOf(find(transfer, names));
  const amount = find(transfer, ['Amt', 'InstdAmt']);
  const account = find(transfer, ['CdtrAcct', 'Id']);
  const iban = textOf(find(transfer, ['CdtrAcct', 'Id', 'IBAN']));
  if (iban !== '' && find(transfer, ['CdtrAcct', 'Id', 'Othr']) !== undefined)
    fail(account ?? transfer, 'CdtrAcct/Id has both IBAN and Othr: which account is meant?');
  const name = read('Cdtr', 'Nm');
  if (name === '') fail(transfer, 'Cdtr/Nm is missing.');
  const sortCode = iban === '' ? read('CdtrAgt', 'FinInstnId', 'ClrSysMmbId', 'MmbId') : '';
  const accountNumber = iban === '' ? read('CdtrAcct', 'Id', 'Othr', 'Id') : iban;
  if (iban === '' && !/^\d{8}$/.test(accountNumber))
    fail(account ?? transfer, 'CdtrAcct/Id needs an IBAN, or an account number of eight digits in Othr/Id.');
  if (iban === '' && !/^\d{6}$/.test(sortCode))
    fail(
      find(transfer, ['CdtrAgt']) ?? transfer,
      'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId must be a sort code of six digits.',
    );
  return {
    name,
    sortCode,
    accountNumber,
    amount: readAmount(amount, transfer, fail),
    reference: read('RmtInf', 'Strd', 'CdtrRefInf', 'Ref') || read('RmtInf', 'Ustrd'),
    instructionId: read('PmtId', 'InstrId') || undefined,
    endToEndId: read('PmtId', 'EndToEndId') || undefined,
  };
}

function readAmount(element: Element | undefined, transfer: Element, fail: Fail): string {
  const amount = textOf(element);
  const place = element ?? transfer;
  const currency = element?.getAttribute('Ccy') ?? '';
  if (element !== undefined && currency !== 'GBP') fail(place, `Amt/InstdAmt must be in GBP, not "${currency}".`);
  if (!/^\d{1,13}(?:\.\d{1,2})?$/.test(amount) || /^[0.]+$/.test(amount)) {
    fail(place, `Amt/InstdAmt must be pounds and pence, and more than zero, not "${amount}".`);
    return '0.00';
  }
  return withPence(amount);
}

/** The group header states the number of all transfers; it may state their sum, and a PmtInf both of its own. */
function verifyTotals(root: Element, payments: ReadonlyMap<Element, SupplierPayment>, fail: Fail): void {
  const header = find(root, ['CstmrCdtTrfInitn', 'GrpHdr']);
  if (header === undefined) return fail(root, 'CstmrCdtTrfInitn/GrpHdr is missing.');
  if (find(header, ['NbOfTxs']) === undefined) fail(header, 'GrpHdr/NbOfTxs is missing.');
  verifyTotal(header, [...payments.values()], fail);
  for (const batch of root.getElementsByTagNameNS(namespace, 'PmtInf')) {
    const own = [...payments].filter(([transfer]) => transfer.parentNode === batch);
    verifyTotal(
      batch,
      own.map(([, payment]) => payment),
      fail,
    );
  }
}

function verifyTotal(element: Element, payments: readonly SupplierPayment[], fail: Fail): void {
  const number = find(element, ['NbOfTxs']);
  const count = payments.length === 1 ? 'there is 1 transfer' : `there are ${payments.length} transfers`;
  if (number !== undefined && Number(textOf(number)) !== payments.length)
    fail(number, `${element.localName}/NbOfTxs is "${textOf(number)}"; ${count}.`);
  const sum = find(element, ['CtrlSum']);
  const total = toPounds(payments.reduce((all, { amount }) => all + toPence(amount), 0n));
  if (sum !== undefined && normal(textOf(sum)) !== normal(total))
    fail(sum, `${element.localName}/CtrlSum is ${textOf(sum)}; the transfers add up to ${total}.`);
}

const normal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/0+$/, '').replace(/\.$/, '') : decimal;

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
