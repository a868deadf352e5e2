import { type AccountProxy, proxyCodes } from '#libs/obie-rules';
import { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { knownWords } from './known-words.js';
import type { FurtherMembers, PaymentFormat } from './payment-format.js';
import { readCreditorAgent, readPostalAddress7, readUltimateParty } from './read-party.js';
import { readRegulatoryReporting, verifyAmountMembers } from './read-regulatory-reporting.js';
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

const knownProxies = knownWords(proxyCodes);

const further: FurtherMembers = {
  verifyItem: (reader, item) => reader.onlyMembers(item, itemMembers),
  verifyAmount: verifyAmountMembers,
  readAccount(reader, account) {
    reader.onlyMembers(account, accountMembers);
    return readProxy(reader, account.Proxy);
  },
  readDetails: (reader, item) => ({
    payeeAgent: readCreditorAgent(reader, item.CreditorAgent),
    ultimatePayee: readUltimateParty(reader, 'UltimateCreditor', item.UltimateCreditor),
    ultimatePayer: readUltimateParty(reader, 'UltimateDebtor', item.UltimateDebtor),
    regulatoryReporting: readRegulatoryReporting(reader, item.RegulatoryReporting),
  }),
  readInitiation(reader, initiation) {
    const { CreditorAgent, UltimateDebtor, RemittanceInformation } = initiation as JsonObject;
    return {
      payeeAgent: readCreditorAgent(reader, CreditorAgent),
      ultimatePayer: readUltimateParty(reader, 'UltimateDebtor', UltimateDebtor),
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

function readProxy(account: MemberReader, value: unknown): AccountProxy | undefined {
  const proxy = account.optionalObject('Proxy', value);
  if (proxy === undefined) return undefined;
  const reader = account.in('Proxy');
  const identification = reader.requiredText('Identification', proxy.Identification, 2048);
  const rule = 'must be one of the codes of ExternalProxyAccountType1Code';
  const code = reader.requiredWord('Code', proxy.Code, knownProxies, rule);
  const type = reader.optionalText('Type', proxy.Type, 35);
  return identification === undefined || code === undefined ? undefined : { code, identification, type };
}
