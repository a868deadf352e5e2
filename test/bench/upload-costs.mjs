// node test/bench/upload-costs.mjs: processor time that octets of a file cost between the connection and the database, on the built `dist`:
// hash, JSON and the rules of 150 payments. The factors are to the benchmark's own file.
import { createHash } from 'node:crypto';
import { FaultList } from '../../dist/libs/file-payment/src/fault-list.js';
import { parsePaymentFile } from '../../dist/libs/file-payment/src/parse-payment-file.js';
import { parseJson } from '../../dist/libs/obie-rules/src/index.js';
import { createPaymentFile } from './payment-file.mjs';

const mostOctets = 2_097_152;
const now = new Date();

/** A payment with every member there is, each text of `characters` of its greatest length. */
function fullPayment(character) {
  const text = (longest) => character.repeat(longest);
  const account = { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819', Name: text(70) };
  return {
    InstructionIdentification: text(35),
    EndToEndIdentification: text(35),
    LocalInstrument: 'UK.OBIE.FPS',
    RequestedExecutionDateTime: new Date(now.getTime() + 86_400_000).toISOString(),
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

const fileOf = (payment) => JSON.stringify({ File: { Data: { DomesticPayments: Array(150).fill(payment) } } });
const within = (text) => `{"File":{"Data":{"DomesticPayments":[${text}]}}}`;
const normal = createPaymentFile().body;
const spaces = Buffer.from(normal.toString().replaceAll(/([,:{}])/g, '$1\n  '));
const wrong = {
  InstructionIdentification: '',
  InstructedAmount: { Amount: 'x' },
  CreditorAccount: { SchemeName: 'x' },
};

const files = {
  'the benchmark’s file': normal,
  'the same with white space': spaces,
  'legal: every member at its longest': fileOf(fullPayment('x')),
  'legal: the same, two octets a character': fileOf(fullPayment('é')),
  'legal: the same, every character escaped': fileOf(fullPayment('x')).replaceAll('x', '\\u0078'),
  'legal: 2 MB of white space': `${normal}${' '.repeat(mostOctets - normal.length)}`,
  'illegal: every member of 150 payments wrong': fileOf(wrong),
  'illegal: 2 MB in one string of escapes': within(`"${'\\"'.repeat(mostOctets / 2 - 30)}"`),
  'illegal: 2 MB of quotation marks': '"'.repeat(mostOctets),
  'illegal: 2 MB of brackets': '['.repeat(mostOctets),
  'illegal: 20,000 numbers': within(Array(19_000).fill('1.5').join()),
};

function costOf(octets) {
  createHash('sha256').update(octets).digest();
  try {
    const faults = new FaultList();
    const document = parseJson(octets);
    parsePaymentFile({ document, consentInstrument: 'UK.OBIE.FPS', now, faults });
  } catch (error) {
    if (error.name !== 'JsonFormatError') throw error;
  }
}

let base;
for (const [name, content] of Object.entries(files)) {
  const octets = Buffer.from(content);
  const runs = 200;
  for (let run = 0; run < runs; run += 1) costOf(octets);
  const startedAt = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) costOf(octets);
  const { user, system } = process.cpuUsage(startedAt);
  const milliseconds = (user + system) / 1_000 / runs;
  base ??= milliseconds;
  const factor = (milliseconds / base).toFixed(1);
  console.log(
    `${name.padEnd(46)}${String(octets.length).padStart(9)} octets ${milliseconds.toFixed(2).padStart(7)} ms  x${factor}`,
  );
}
