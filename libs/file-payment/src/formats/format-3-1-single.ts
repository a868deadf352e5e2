import { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { amountOfMoney, postalAddress6Single } from '#libs/obie-rules';
import { address31, addressMembers31, format31, readRemittance31 } from './format-3-1.js';
import type { FurtherMembers, PaymentFormat, Remittance } from './payment-format.js';
import { type AddressReading, readPostalAddress } from './read-postal-address.js';

const itemMembers = new MemberNames([
  'InstructionIdentification',
  'EndToEndIdentification',
  'LocalInstrument',
  'InstructedAmount',
  'DebtorAccount',
  'CreditorAccount',
  'CreditorPostalAddress',
  'RemittanceInformation',
  'SupplementaryData',
]);
const amountMembers = new MemberNames(Object.keys(amountOfMoney.members));
const accountMembers = new MemberNames(['SchemeName', 'Identification', 'Name', 'SecondaryIdentification']);
const remittanceMembers = new MemberNames(['Unstructured', 'Reference']);
const address: AddressReading = { ...address31, ...postalAddress6Single, members: new MemberNames(addressMembers31) };

const further: FurtherMembers = {
  verifyItem: (reader, item) => reader.onlyMembers(item, itemMembers),
  verifyAmount: (reader, money) => reader.onlyMembers(money, amountMembers),
  readAccount(reader, account) {
    reader.onlyMembers(account, accountMembers);
    return undefined;
  },
  readDetails: () => ({}),
  readInitiation: () => ({}),
};

/**
 * One domestic payment of v3.1 alone, not in a file: the edition 3.1.11 of the standard, which closes its objects. A
 * member that were ignored might be its day.
 */
export const format31Single: PaymentFormat = {
  ...format31,
  longestName: 350,
  isEndToEndIdentificationRequired: true,
  hasExecutionDate: false,
  readPostalAddress: (item, name, value) => readPostalAddress(item, name, value, address),
  readRemittance,
  further,
};

function readRemittance(item: MemberReader, value: unknown): Remittance | undefined {
  const remittance = readRemittance31(item, value);
  if (remittance !== undefined) item.in('RemittanceInformation').onlyMembers(value as JsonObject, remittanceMembers);
  return remittance;
}
