import type { ObjectForm } from './object-form.js';
import {
  amountOfMoney,
  creditorAgent,
  proxy,
  regulatoryReport,
  remittanceInformation2,
  ultimateCreditor,
  ultimateDebtor,
} from './payment-details.js';
import {
  schemeName,
  identification,
  rollNumber,
  nameOf,
  nameOfPayee,
  instructionIdentification,
  endToEndIdentification,
  localInstrument,
  ofWholeFile,
  supplementaryData,
} from './payment-item.js';
import { postalAddress7 } from './postal-address.js';

const account40 = {
  className: 'OBFileDebtorAccount',
  isClosed: true,
  members: {
    SchemeName: schemeName,
    Identification: identification,
    Name: nameOf(350),
    SecondaryIdentification: rollNumber,
    Proxy: { a: 'object', of: proxy },
  },
} as const satisfies ObjectForm;

/** A payment of 4.0, in a file or alone. */
export const payment40 = {
  className: 'OBDomestic2',
  isClosed: true,
  members: {
    InstructionIdentification: instructionIdentification,
    EndToEndIdentification: { ...endToEndIdentification, isRequired: true },
    LocalInstrument: localInstrument,
    InstructedAmount: { a: 'object', of: amountOfMoney, isRequired: true },
    DebtorAccount: { a: 'object', of: account40, ...ofWholeFile },
    CreditorAccount: {
      a: 'object',
      of: {
        ...account40,
        className: 'OBFileCreditorAccount',
        members: { ...account40.members, Name: { ...account40.members.Name, ...nameOfPayee(350) } },
      },
      isRequired: true,
    },
    CreditorAgent: { a: 'object', of: creditorAgent },
    CreditorPostalAddress: { a: 'address', of: postalAddress7 },
    UltimateCreditor: { a: 'object', of: ultimateCreditor },
    UltimateDebtor: { a: 'object', of: ultimateDebtor },
    RegulatoryReporting: { a: 'objects', of: regulatoryReport, most: 10 },
    RemittanceInformation: { a: 'object', of: remittanceInformation2 },
    SupplementaryData: supplementaryData,
  },
} as const satisfies ObjectForm;
