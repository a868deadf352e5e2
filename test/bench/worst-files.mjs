// Files that are as expensive as they can be: each at a bound of the service, or as wrong as it gets.
import { createHash } from 'node:crypto';
import { mostOctets } from '../../dist/libs/file-payment/src/index.js';
import { mostNumbers, mostValues } from '../../dist/libs/obie-rules/src/parse-json.js';
import { createPaymentFile } from './payment-file.mjs';

const count = 150;
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

/** A payment with every member there is, each text of the character at its greatest length. */
function fullPayment(character) {
  const text = (longest) => character.repeat(longest);
  const account = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819', Name: text(70) };
  return {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    LocalInstrument: 'UK.OBIE.FPS',
    RequestedExecutionDateTime: tomorrow,
    InstructedAmount: { Amount: '10.50', Currency: 'GBP' },
    DebtorAccount: { ...account, SecondaryIdentification: text(34) },
    CreditorAccount: { ...account, SecondaryIdentification: text(34) },
    CreditorPostalAddress: {
      AddressType: 'Correspondence',
      Department: text(70),
      SubDepartment: text(70),
      StreetName: text(70),
      BuildingNumber: text(16),
      PostCode: text(16),
      TownName: text(35),
      CountrySubDivision: text(35),
      Country: 'GB',
      AddressLine: [text(70), text(70)],
    },
    RemittanceInformation: { Unstructured: text(140), Reference: text(35) },
  };
}

/** A payment in which every member is wrong, and as long as it is looked at. */
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
const full = (character) => fileOf(Array.from({ length: count }, () => fullPayment(character)));
const within = (text) => `{"File":{"Data":{"DomesticPayments":[${text}]}}}`;
const rest = (text) => mostOctets - Buffer.byteLength(text);

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
  'legal: two octets a character': legal(full('é')),
  'legal: three octets a character': legal(full('€')),
  'legal: four octets a character': legal(full('\u{1F600}')),
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
  'illegal: one string of escapes': illegal(within(`"${'\\"'.repeat((mostOctets - 100) / 2)}"`)),
  'illegal: quotation marks': illegal('"'.repeat(mostOctets)),
  'illegal: brackets': illegal('['.repeat(mostOctets)),
  'illegal: numbers': illegal(within(list(Math.min(mostValues, mostNumbers) - 10, () => '1.5'))),
  'illegal: no UTF-8 at the end': illegal(Buffer.concat([Buffer.alloc(mostOctets - 1, ' '), Buffer.from([0xff])])),
  'illegal: too long': { ...illegal(' '.repeat(mostOctets + 1)), isClosed: true },
  'illegal: too long, in chunks': { ...illegal(' '.repeat(mostOctets + 1)), isClosed: true, isChunked: true },
};

/** `{ name, body, hash, count, controlSum, isLegal, isClosed, isChunked, isBase64Signed }` of each; the first is the benchmark's own. */
export const worstFiles = Object.entries(files).map(([name, file]) => {
  const body = Buffer.from(file.body);
  return { name, ...file, body, hash: createHash('sha256').update(body).digest() };
});
