import { MemberNames } from '../member-names.js';
import type { JsonObject, MemberReader } from '../member-reader.js';
import { domesticPayment31, postalAddress6Single, remittanceInformation1 } from '#libs/obie-rules';
import { address31, addressMembers31, format31, readRemittance31 } from './format-3-1.js';
import { knownMembersOf, namesOf, rulesOf } from './known-members.js';
import type { PaymentFormat, Remittance } from './payment-format.js';
import { type AddressReading, readPostalAddress } from './read-postal-address.js';

const remittanceMembers = namesOf(remittanceInformation1);
const address: AddressReading = { ...address31, ...postalAddress6Single, members: new MemberNames(addressMembers31) };

/**
 * One domestic payment of v3.1 alone, not in a file: edition 3.1.11 of the standard, which closes its objects. An
 * ignored member might be its day.
 */
export const format31Single: PaymentFormat = {
  ...format31,
  ...rulesOf(domesticPayment31),
  known: knownMembersOf(domesticPayment31),
  readPostalAddress: (item, name, value) => readPostalAddress(item, name, value, address),
  readRemittance,
};

function readRemittance(item: MemberReader, value: unknown): Remittance | undefined {
  const remittance = readRemittance31(item, value);
  if (remittance !== undefined) item.in('RemittanceInformation').onlyMembers(value as JsonObject, remittanceMembers);
  return remittance;
}
