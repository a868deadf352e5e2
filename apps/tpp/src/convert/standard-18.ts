import type { ApiVersion } from '../read-write/api-version.js';
import { type Converted, mostPayments, type SupplierPayment, toPounds } from './converted-file.js';
import { Findings, payerCure } from './findings.js';

const labels = /^(?:VOL1|HDR1|HDR2|UHL1|EOF1|EOF2|EOV1|EOV2)/;
/** Transaction codes: a credit, and the debit of the payer that balances all credits. */
const [credit, contra] = ['99', '17'];

/** One payment or contra record: 100 characters, or 106 with its own day. */
interface Standard18Record {
  readonly line: number;
  readonly code: string;
  readonly pence: bigint;
  /** sort code and account number */
  readonly originator: string;
  /** own day, `YYDDD`; empty in 100 characters */
  readonly day: string;
  readonly payment: SupplierPayment;
}

/** Whether a text looks like Standard 18, with labels or without. */
export const isStandard18 = (text: string): boolean => labels.test(text) || /^\d{14}\d[\dA-Z]{2}\d{14}/.test(text);

/** Converts the credits of a BACS file in Standard 18. The contra and the user trailer must match them. */
export function convertStandard18(text: string, version: ApiVersion): Converted {
  const findings = new Findings();
  const records: Standard18Record[] = [];
  const credits = (): Standard18Record[] => records.filter(({ code }) => code === credit);
  const lines = text.split(/\r?\n/).map((content, index) => ({ line: index + 1, content }));
  let trailer: number | undefined;
  for (const { line, content } of lines) {
    if (content.trim() === '') continue;
    if (trailer !== undefined) {
      findings.fail(line, `Nothing may follow the trailer UTL1, which is line ${trailer}.`);
      break;
    }
    if (labels.test(content)) readLabel(line, content, findings);
    else if (content.startsWith('UTL1')) {
      trailer = line;
      if (!findings.areFaults) verifyTrailer(line, content, credits(), findings);
    } else {
      const record = readRecord(line, content, findings);
      if (record !== undefined) records.push(record);
    }
  }
  // A file that was cut off must not pay the part that arrived.
  if (labels.test(text) && trailer === undefined)
    findings.fail(lines.length, 'The trailer UTL1 is missing: the file is not complete.');
  verifyOnePayerAndDay(records, findings);
  if (!findings.areFaults) verifyContras(records, findings);
  const payments = credits();
  if (payments.length === 0 && !findings.areFaults) findings.fail(1, 'There is no credit in the file.');
  const surplus = payments[mostPayments];
  if (surplus !== undefined) findings.fail(surplus.line, `A file holds at most ${mostPayments} payments.`);
  return findings.convert(payments, { version, localInstrument: 'UK.OBIE.BACS' });
}

const dayCure = 'name the day of payment in the consent (--date)';

/** UHL1: characters 5 to 10 are the processing day, 21 and 22 the currency. */
function readLabel(line: number, content: string, findings: Findings): void {
  if (content.trimEnd().length > 80) findings.fail(line, 'A label has 80 characters and its own line.');
  if (!content.startsWith('UHL1')) return;
  const [day, currency] = [content.slice(4, 10).trim(), content.slice(20, 22).trim()];
  if (!['', '00'].includes(currency))
    findings.fail(line, `Characters 21 and 22 of UHL1, the currency, must be 00, sterling, not "${currency}".`);
  if (day !== '') findings.notCarried(line, `The processing day ${day}`, dayCure);
}

/** A file has one payer and one day. */
function verifyOnePayerAndDay(records: readonly Standard18Record[], findings: Findings): void {
  const [first] = records;
  if (first === undefined) return;
  findings.notCarried(first.line, 'The payer in characters 18 to 31 and 47 to 64', payerCure);
  if (first.day !== '') findings.notCarried(first.line, `The processing day ${first.day}`, dayCure);
  const payer = records.find(({ originator }) => originator !== first.originator);
  if (payer !== undefined) findings.fail(payer.line, 'Characters 18 to 31 name a second payer: a file has one.');
  const day = records.find((record) => record.day !== first.day);
  if (day !== undefined) findings.fail(day.line, 'Characters 102 to 106 name a second day: a file has one.');
}

function readRecord(line: number, content: string, findings: Findings): Standard18Record | undefined {
  const length = content.trimEnd().length;
  if (length < 46 || content.length > 106) {
    findings.fail(line, `A payment record has 100 or 106 characters; this one has ${content.length}.`);
    return undefined;
  }
  let isSound = true;
  const fail = (message: string): void => {
    isSound = false;
    findings.fail(line, message);
  };
  const cut = (from: number, to: number): string => content.slice(from - 1, to).trim();
  const [sortCode, accountNumber, code, amount] = [cut(1, 6), cut(7, 14), cut(16, 17), cut(36, 46)];
  if (!/^\d{6}$/.test(sortCode))
    fail(`Characters 1 to 6, the destination sort code, must be digits, not "${sortCode}".`);
  if (!/^\d{8}$/.test(accountNumber))
    fail(`Characters 7 to 14, the destination account number, must be digits, not "${accountNumber}".`);
  const originator = cut(18, 31);
  const isOwn = originator === `${sortCode}${accountNumber}`;
  if (code !== credit && code !== contra)
    fail(`Characters 16 and 17, the transaction code, must be ${credit} or ${contra}, not "${code}".`);
  else if (isOwn !== (code === contra))
    fail(`Code ${code} ${isOwn ? 'to' : 'from another account than'} its originator is a Direct Debit, not a payment.`);
  if (!/^\d{11}$/.test(amount))
    fail(`Characters 36 to 46, the amount in pence, must be eleven digits, not "${amount}".`);
  else if (/^0+$/.test(amount)) fail('Characters 36 to 46, the amount in pence, must be more than zero.');
  const [reference, name] = [cut(65, 82), cut(83, 100)];
  if (name === '' && code === credit) fail("Characters 83 to 100, the payee's name, are empty.");
  if (!isSound) return undefined;
  if (!['', '0'].includes(cut(15, 15))) findings.notCarried(line, 'The account type in character 15');
  if (cut(32, 35) !== '') findings.notCarried(line, 'The free text in characters 32 to 35');
  const pence = BigInt(amount);
  const payment = { name, sortCode, accountNumber, amount: toPounds(pence), reference };
  return { line, code, pence, originator, day: cut(101, 106), payment };
}

const sumOf = (records: readonly Standard18Record[]): bigint => records.reduce((sum, { pence }) => sum + pence, 0n);

function verifyContras(records: readonly Standard18Record[], findings: Findings): void {
  const [credits, contras] = [credit, contra].map((wanted) => records.filter(({ code }) => code === wanted));
  const [first] = contras ?? [];
  const [paid, total] = [sumOf(credits ?? []), sumOf(contras ?? [])];
  if (first !== undefined && total !== paid)
    findings.fail(first.line, `The contra is ${toPounds(total)}; the credits add up to ${toPounds(paid)}.`);
}

/** UTL1: characters 18 to 30 are the value of all credits, 38 to 44 their number. */
function verifyTrailer(line: number, content: string, credits: readonly Standard18Record[], findings: Findings): void {
  const [value, number] = [content.slice(17, 30), content.slice(37, 44)];
  if (!/^\d{13},\d{7}$/.test(`${value},${number}`)) {
    findings.fail(line, 'The trailer needs digits: the value of all credits at 18 to 30, their number at 38 to 44.');
    return;
  }
  const [stated, paid, count] = [toPounds(BigInt(value)), toPounds(sumOf(credits)), Number(number)];
  if (stated !== paid) findings.fail(line, `The trailer says credits of ${stated}; they add up to ${paid}.`);
  if (count !== credits.length) findings.fail(line, `The trailer says ${countOf(count)}; there are ${credits.length}.`);
}

const countOf = (count: number): string => (count === 1 ? '1 credit' : `${count} credits`);
