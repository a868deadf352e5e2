import {
  type AccountProxy,
  amountOfMoney,
  creditorAgent,
  proxy,
  regulatoryReport,
  ultimateDebtor,
} from '#libs/obie-rules';
import { MemberNames } from '../member-names.js';
import type { JsonObject } from '../member-reader.js';
import type { FurtherMembers, PaymentFormat } from './payment-format.js';
import { membersReader, objectReader, readPostalAddress7 } from './read-object.js';
import { readRemittanceInformation2 } from './read-remittance-information-2.js';

/**
 * Of OBDomestic2 in v4.0. Objects are closed where the official description closes them; members that the others have
 * beside those of the standard are not read.
 */
const itemMembers = new MemberNames([
  'InstructionIdentification',
  'EndToEndIdentification',
  'LocalInstrument',
  'InstructedAmount',
  'DebtorAccount',
  'CreditorAgent',
  'CreditorAccount',
  'CreditorPostalAddress',
  'UltimateCreditor',
  'UltimateDebtor',
  'RegulatoryReporting',
  'RemittanceInformation',
  'SupplementaryData',
]);
const accountMembers = new MemberNames(['SchemeName', 'Identification', 'Name', 'SecondaryIdentification', 'Proxy']);

const amountMembers = new MemberNames(Object.keys(amountOfMoney.members));

const readProxy = objectReader(proxy);
const readAgent = objectReader(creditorAgent);
const readDebtor = objectReader(ultimateDebtor);
const readReport = membersReader(regulatoryReport);

const further: FurtherMembers = {
  verifyItem: (reader, item) => reader.onlyMembers(item, itemMembers),
  verifyAmount: (reader, money) => reader.onlyMembers(money, amountMembers),
  readAccount(reader, account) {
    reader.onlyMembers(account, accountMembers);
    const read = readProxy(reader, 'Proxy', account.Proxy);
    return read?.code === undefined || read.identification === undefined ? undefined : (read as AccountProxy);
  },
  readDetails: (reader, item) => ({
    payeeAgent: readAgent(reader, 'CreditorAgent', item.CreditorAgent),
    ultimatePayee: readDebtor(reader, 'UltimateCreditor', item.UltimateCreditor),
    ultimatePayer: readDebtor(reader, 'UltimateDebtor', item.UltimateDebtor),
    regulatoryReporting: reader.optionalObjects('RegulatoryReporting', item.RegulatoryReporting, 10, readReport),
  }),
  readInitiation(reader, initiation) {
    const { CreditorAgent, UltimateDebtor, RemittanceInformation } = initiation as JsonObject;
    return {
      payeeAgent: readAgent(reader, 'CreditorAgent', CreditorAgent),
      ultimatePayer: readDebtor(reader, 'UltimateDebtor', UltimateDebtor),
      remittance: readRemittanceInformation2(reader, RemittanceInformation),
    };
  },
};

/**
 * UK.OBIE.PaymentInitiation.4.0: domestic payments of v4.0.1, made as soon as possible or on the day of the consent.
 */
export const format40: PaymentFormat = {
  fileType: 'UK.OBIE.PaymentInitiation.4.0',
  // 150 payments with every member fit, in 50 characters a text; or 80 with each of its texts at its longest. What all
  // texts of all of them could hold are 3.5 MB in ASCII.
  mostBytes: 2_000_000,
  valuesOfPayment: 320,
  longestName: 350,
  isEndToEndIdentificationRequired: true,
  hasExecutionDate: false,
  readPostalAddress: readPostalAddress7,
  readRemittance: readRemittanceInformation2,
  further,
};
