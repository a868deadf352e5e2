// The most expensive files: each at a limit of the service, or as wrong as possible.
import { createHash } from 'node:crypto';
import { mostBytesOf, mostValuesOf } from '../../dist/libs/file-payment/src/index.js';
import { mostNames, mostNumbers } from '../../dist/libs/obie-rules/src/parse-json.js';
import { theLongestPayment } from './longest-payments.mjs';
import { createPaymentFile } from './payment-file.mjs';

const count = 150;
const fileTypeOf = (version) => `UK.OBIE.PaymentInitiation.${version}`;
const mostBytes = mostBytesOf(fileTypeOf('3.1'));
const mostValues = mostValuesOf(fileTypeOf('3.1'));

/** A payment in which every member is wrong, and as long as the service reads. */
const wrongPayment = {
  InstructionIdentification: 'x'.repeat(36),
  EndToEndIdentification: 'x'.repeat(36),
  LocalInstrument: 'UK.OBIE.SWIFT',
  RequestedExecutionDateTime: 'tomorrow',
  InstructedAmount: { Amount: '1.001', Currency: 'gbp' },
  DebtorAccount: {},
  CreditorAccount: { SchemeName: 'x' },
  CreditorPostalAddress: { Country: 'GBR', AddressLine: [1, 2] },
  RemittanceInformation: [],
};

const fileOf = (payments) => JSON.stringify({ File: { Data: { DomesticPayments: payments } } });
const full = (character) => fileOf(Array.from({ length: count }, () => theLongestPayment('3.1', { character })));
const within = (text) => `{"File":{"Data":{"DomesticPayments":[${text}]}}}`;
const rest = (text) => mostBytes - Buffer.byteLength(text);

const normal = createPaymentFile();
const normalText = normal.body.toString();
/** The benchmark's file with SupplementaryData in its last payment. */
const supplemented = (text) => normalText.replace(/\}\]\}\}\}$/, `,"SupplementaryData":${text}}]}}}`);
const valuesLeft = mostValues - (normalText.match(/[,{[]/g)?.length ?? 0) - 10;
const list = (length, entry) => Array.from({ length }, (_, index) => entry(index)).join();

const legal = (body, controlSum = '1575.00') => ({ body, count, controlSum, isLegal: true });
const asNormal = (body) => legal(body, normal.controlSum);
const illegal = (body) => ({ body, count, controlSum: '1575.00', isLegal: false });

const files = {
  normal: asNormal(normalText),
  'normal, 3.1.4 signature': { ...asNormal(normalText), isBase64Signed: true },
  'legal: every member at its longest': legal(full('x')),
  'legal: two bytes a character': legal(full('é')),
  'legal: three bytes a character': legal(full('€')),
  'legal: four bytes a character': legal(full('\u{1F600}')),
  'legal: white space': asNormal(normalText + ' '.repeat(rest(normalText))),
  'legal: white space, 3.1.4 signature': {
    ...asNormal(normalText + ' '.repeat(rest(normalText))),
    isBase64Signed: true,
  },
  'legal: members of different names, and white space': asNormal(
    ((text) => text + ' '.repeat(rest(text)))(supplemented(`{${list(valuesLeft, (index) => `"name${index}":""`)}}`)),
  ),
  'legal: numbers': asNormal(supplemented(`{"a":[${list(Math.min(valuesLeft, mostNumbers), () => '-1.5')}]}`)),
  'legal: members of different names': asNormal(supplemented(`{${list(valuesLeft, (index) => `"name${index}":""`)}}`)),
  'legal: objects of different names': asNormal(
    supplemented(`[${list(valuesLeft / 2, (index) => `{"name${index}":""}`)}]`.replace(/^/, '{"a":').replace(/$/, '}')),
  ),
  'legal: one string of escapes': asNormal(supplemented(`{"a":"${'\\n'.repeat((rest(normalText) - 100) / 2)}"}`)),
  'legal: one string of escapes to code points': asNormal(
    supplemented(`{"a":"${'\\u20ac'.repeat((rest(normalText) - 100) / 6)}"}`),
  ),
  'illegal: every member wrong': illegal(fileOf(Array.from({ length: count }, () => wrongPayment))),
  'illegal: one string of escapes': illegal(within(`"${'\\"'.repeat((mostBytes - 100) / 2)}"`)),
  'illegal: quotation marks': illegal('"'.repeat(mostBytes)),
  'illegal: brackets': illegal('['.repeat(mostBytes)),
  'illegal: numbers': illegal(within(list(Math.min(mostValues, mostNumbers) - 10, () => '1.5'))),
  'illegal: no UTF-8 at the end': illegal(Buffer.concat([Buffer.alloc(mostBytes - 1, ' '), Buffer.from([0xff])])),
  'illegal: too long': { ...illegal(' '.repeat(mostBytes + 1)), isClosed: true },
  'illegal: too long, in chunks': { ...illegal(' '.repeat(mostBytes + 1)), isClosed: true, isChunked: true },
};

/** Files of 4.0, which are longer and have more members. */
const normal40 = createPaymentFile(count, '4.0');
const most40 = { bytes: mostBytesOf(fileTypeOf('4.0')), values: mostValuesOf(fileTypeOf('4.0')) };
const text40 = normal40.body.toString();
const left40 = most40.values - (text40.match(/[,{[]/g)?.length ?? 0) - 10;
const supplemented40 = (text) => text40.replace(/\}\]\}\}\}$/, `,"SupplementaryData":${text}}]}}}`);
const padded40 = (text) => text + ' '.repeat(most40.bytes - Buffer.byteLength(text));
const namesOf = (length) => supplemented40(`{${list(length, (index) => `"name${index}":""`)}}`);
const manyNames = namesOf(mostNames);
const full40 = (longest) => fileOf(Array.from({ length: count }, () => theLongestPayment('4.0', { longest })));
const in40 = (body, controlSum = normal40.controlSum) => ({ ...legal(body, controlSum), version: '4.0' });
Object.assign(files, {
  '4.0: normal': in40(text40),
  '4.0, legal: every member, one character a text': in40(full40(1), '1575.00'),
  '4.0, legal: every member, 50 characters a text': in40(full40(50), '1575.00'),
  '4.0, legal: white space': in40(padded40(text40)),
  '4.0, legal: members of different names': in40(manyNames),
  '4.0, legal: members of different names, and white space': in40(padded40(manyNames)),
  '4.0, illegal: too many names': { ...illegal(namesOf(left40)), version: '4.0' },
  '4.0, legal: one string of escapes': in40(
    supplemented40(`{"a":"${'\\n'.repeat((most40.bytes - Buffer.byteLength(text40) - 100) / 2)}"}`),
  ),
});

/**
 * `{ name, version, body, hash, count, controlSum, isLegal, isClosed, isChunked, isBase64Signed }` of each; the first
 * is the benchmark's own.
 */
export const worstFiles = Object.entries(files).map(([name, file]) => {
  const body = Buffer.from(file.body);
  return { name, version: '3.1', ...file, body, hash: createHash('sha256').update(body).digest() };
});
