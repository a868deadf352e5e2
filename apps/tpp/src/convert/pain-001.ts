import { DOMParser, type Element, ParseError } from '@xmldom/xmldom';
import type { ApiVersion } from '../file-payments/api-version.js';
import {
  type Converted,
  createConvertedFile,
  type Fault,
  mostFaults,
  mostPayments,
  type SupplierPayment,
  toPence,
  toPounds,
} from './converted-file.js';

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
  const faults: Fault[] = [];
  const fail: Fail = ({ lineNumber }, message) => void faults.push({ line: lineNumber ?? 1, message });
  const transfers = [...root.getElementsByTagNameNS(namespace, 'CdtTrfTxInf')];
  if (transfers.length === 0) fail(root, 'There is no CdtTrfTxInf.');
  const payments = new Map(transfers.map((transfer) => [transfer, readTransfer(transfer, fail)]));
  for (const method of root.getElementsByTagNameNS(namespace, 'PmtMtd'))
    if (textOf(method) !== 'TRF') fail(method, `PmtMtd must be TRF, a transfer, not "${textOf(method)}".`);
  const surplus = transfers[mostPayments];
  if (surplus !== undefined) fail(surplus, `A file holds at most ${mostPayments} payments.`);
  if (faults.length === 0) verifyTotals(root, payments, fail);
  if (faults.length > 0) return { faults: faults.toSorted((one, other) => one.line - other.line).slice(0, mostFaults) };
  const converted = createConvertedFile(
    [...payments.values()],
    transfers.map(({ lineNumber }) => lineNumber ?? 1),
    { version },
  );
  return 'faults' in converted ? converted : { ...converted, warnings: warnOfDates(root) };
}

/** A payment file has no execution date: the consent has one for all of its payments. */
function warnOfDates(root: Element): Fault[] {
  return [...root.getElementsByTagNameNS(namespace, 'ReqdExctnDt')].slice(0, mostFaults).map((element) => {
    const date = textOf(element);
    const shown = /^[\d:.TZ+-]{1,35}$/.test(date) ? ` ${date}` : '';
    const message = `ReqdExctnDt${shown} is not converted: use RequestedExecutionDateTime of the consent.`;
    return { line: element.lineNumber ?? 1, message };
  });
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
  const [pounds = '', pence = ''] = amount.split('.');
  return `${pounds}.${pence.padEnd(2, '0')}`;
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

/** @returns the first element on a path of children */
function find(element: Element, names: readonly string[]): Element | undefined {
  let found: Element | undefined = element;
  for (const name of names) {
    const children: Element[] = [...(found?.childNodes ?? [])].filter((node): node is Element => node.nodeType === 1);
    found = children.find(({ localName }) => localName === name);
  }
  return found;
}

const textOf = (element: Element | undefined): string => (element?.textContent ?? '').trim();

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const refuse = (line: number, message: string): { faults: readonly Fault[] } => ({ faults: [{ line, message }] });
