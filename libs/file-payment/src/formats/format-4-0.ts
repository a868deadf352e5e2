import { type AccountProxy, creditorAgent, payment40, proxy, regulatoryReport, ultimateDebtor } from '#libs/obie-rules';
import type { JsonObject } from '../member-reader.js';
import { knownMembersOf, rulesOf } from './known-members.js';
import type { FurtherMembers, PaymentFormat } from './payment-format.js';
import { membersReader, objectReader, readPostalAddress7 } from './read-object.js';
import { readRemittanceInformation2 } from './read-remittance-information-2.js';

const readProxy = objectReader(proxy);
const readAgent = objectReader(creditorAgent);
const readDebtor = objectReader(ultimateDebtor);
const { most: mostReports } = payment40.members.RegulatoryReporting;
const readReport = membersReader(regulatoryReport);

const further: FurtherMembers = {
  readAccount(reader, account) {
    const read = readProxy(reader, 'Proxy', account.Proxy);
    return read?.code === undefined || read.identification === undefined ? undefined : (read as AccountProxy);
  },
  readDetails: (reader, item) => ({
    payeeAgent: readAgent(reader, 'CreditorAgent', item.CreditorAgent),
    ultimatePayee: readDebtor(reader, 'UltimateCreditor', item.UltimateCreditor),
    ultimatePayer: readDebtor(reader, 'UltimateDebtor', item.UltimateDebtor),
    regulatoryReporting: reader.optionalObjects(
      'RegulatoryReporting',
      item.RegulatoryReporting,
      mostReports,
      readReport,
    ),
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
  // 150 payments with every member fit, at 50 characters a text, or 80 with every text at its longest. 150 payments
  // with every text at its longest would be 3.5 MB in ASCII.
  mostBytes: 2_000_000,
  valuesOfPayment: 320,
  ...rulesOf(payment40),
  // Objects are closed where the official description closes them. Unknown members of other objects are ignored.
  known: knownMembersOf(payment40),
  readPostalAddress: readPostalAddress7,
  readRemittance: readRemittanceInformation2,
  further,
};
