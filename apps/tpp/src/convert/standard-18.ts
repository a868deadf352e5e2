import type { ApiVersion } from '../file-payments/api-version.js';
import {
  type Converted,
  createConvertedFile,
  type Fault,
  mostFaults,
  mostPayments,
  type SupplierPayment,
  toPounds,
} from './converted-file.js';

const labels = /^(?:VOL1|HDR1|HDR2|UHL1|EOF1|EOF2|EOV1|EOV2)/;
/** Transaction codes: a credit, and the debit of the payer that balances all credits. */
const [credit, contra] = ['99', '17'];

/** One payment or contra record: 100 characters, or 106 with its own day. */
interface Standard18Record {
  readonly code: string;
  readonly pence: bigint;
  readonly payment: SupplierPayment;
}

/** Whether a text looks like Standard 18, with labels or without. */
export const isStandard18 = (text: string): boolean => labels.test(text) || /^\d{14}\d[\dA-Z]{2}\d{14}/.test(text);

/** Converts the credits of a BACS file in Standard 18. The contra and the user trailer must match them. */
export function convertStandard18(text: string, version: ApiVersion): Converted {
  const faults: Fault[] = [];
  const credits: { line: number; payment: SupplierPayment }[] = [];
  const lines = text.split(/\r?\n/).map((content, index) => ({ line: index + 1, content }));
  const sums = { credits: 0n, contras: [] as { line: number; pence: bigint }[] };
  const isLabelled = labels.test(text);
  let trailer: number | undefined;
  for (const { line, content } of lines) {
    if (content.trim() === '') continue;
    if (trailer !== undefined) {
      faults.push({ line, message: `Nothing may follow the trailer UTL1, which is line ${trailer}.` });
      break;
    }
    if (labels.test(content)) {
      if (content.trimEnd().length > 80) faults.push({ line, message: 'A label has 80 characters and its own line.' });
      continue;
    }
    if (content.startsWith('UTL1')) {
      trailer = line;
      faults.push(...trailerFaults(line, content, { pence: sums.credits, count: credits.length }));
      continue;
    }
    const record = readRecord(content, (message) => faults.push({ line, message }));
    if (record === undefined) continue;
    if (record.code === contra) sums.contras.push({ line, pence: record.pence });
    else {
      sums.credits += record.pence;
      credits.push({ line, payment: record.payment });
    }
  }
  // A file that was cut off must not pay the part that arrived.
  if (isLabelled && trailer === undefined)
    faults.push({ line: lines.length, message: 'The trailer UTL1 is missing: the file is not complete.' });
  if (faults.length === 0) faults.push(...contraFaults(sums));
  if (credits.length === 0 && faults.length === 0) faults.push({ line: 1, message: 'There is no credit in the file.' });
  const surplus = credits[mostPayments];
  if (surplus !== undefined)
    faults.push({ line: surplus.line, message: `A file holds at most ${mostPayments} payments.` });
  if (faults.length > 0) return { faults: faults.slice(0, mostFaults) };
  const payments = credits.map(({ payment }) => payment);
  return createConvertedFile(
    payments,
    credits.map(({ line }) => line),
    { version, localInstrument: 'UK.OBIE.BACS' },
  );
}

function readRecord(content: string, fail: (message: string) => void): Standard18Record | undefined {
  const length = content.trimEnd().length;
  if (length < 46 || content.length > 106) {
    fail(`A payment record has 100 or 106 characters; this one has ${content.length}.`);
    return undefined;
  }
  const cut = (from: number, to: number): string => content.slice(from - 1, to).trim();
  const [sortCode, accountNumber, code, amount] = [cut(1, 6), cut(7, 14), cut(16, 17), cut(36, 46)];
  const before = [sortCode, accountNumber, amount].join();
  if (!/^\d{6}$/.test(sortCode))
    fail(`Characters 1 to 6, the destination sort code, must be digits, not "${sortCode}".`);
  if (!/^\d{8}$/.test(accountNumber))
    fail(`Characters 7 to 14, the destination account number, must be digits, not "${accountNumber}".`);
  if (code !== credit && code !== contra)
    fail(`Characters 16 and 17, the transaction code, must be ${credit} or ${contra}, not "${code}".`);
  if (!/^\d{11}$/.test(amount))
    fail(`Characters 36 to 46, the amount in pence, must be eleven digits, not "${amount}".`);
  else if (/^0+$/.test(amount)) fail('Characters 36 to 46, the amount in pence, must be more than zero.');
  const isSound = /^\d{6},\d{8},\d{11}$/.test(before) && !/,0+$/.test(before) && [credit, contra].includes(code);
  if (!isSound) return undefined;
  const [reference, name] = [cut(65, 82), cut(83, 100)];
  if (name === '' && code === credit) fail("Characters 83 to 100, the payee's name, are empty.");
  const pence = BigInt(amount);
  return { code, pence, payment: { name, sortCode, accountNumber, amount: toPounds(pence), reference } };
}

function contraFaults({ credits, contras }: { credits: bigint; contras: { line: number; pence: bigint }[] }): Fault[] {
  const [first] = contras;
  const total = contras.reduce((sum, { pence }) => sum + pence, 0n);
  if (first === undefined || total === credits) return [];
  return [
    { line: first.line, message: `The contra is ${toPounds(total)}; the credits add up to ${toPounds(credits)}.` },
  ];
}

/** UTL1: characters 18 to 30 are the value of all credits, 38 to 44 their number. */
function trailerFaults(line: number, content: string, { pence, count }: { pence: bigint; count: number }): Fault[] {
  const [value, number] = [content.slice(17, 30), content.slice(37, 44)];
  if (!/^\d{13},\d{7}$/.test(`${value},${number}`))
    return [
      { line, message: 'The trailer needs digits: the value of all credits at 18 to 30, their number at 38 to 44.' },
    ];
  const [stated, credits] = [toPounds(BigInt(value)), Number(number)];
  return [
    ...(stated === toPounds(pence)
      ? []
      : [{ line, message: `The trailer says credits of ${stated}; they add up to ${toPounds(pence)}.` }]),
    ...(credits === count ? [] : [{ line, message: `The trailer says ${countOf(credits)}; there are ${count}.` }]),
  ];
}

const countOf = (count: number): string => (count === 1 ? '1 credit' : `${count} credits`);
