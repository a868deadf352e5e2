import type { JsonObject, MemberReader } from '../member-reader.js';
import { membersOfAddress, paymentItem31, postalAddress6, remittanceInformation1 } from '#libs/obie-rules';
import { rulesOf } from './known-members.js';
import type { PaymentFormat, Remittance } from './payment-format.js';
import { type AddressReading, readPostalAddress } from './read-postal-address.js';

export const address31: AddressReading = {
  ...postalAddress6,
  rule: 'must be one of the address types of OBPostalAddress6',
};

/**
 * UK.OBIE.PaymentInitiation.3.1: domestic payments of v3.1, which may name a day. Unknown members and a PaymentId are
 * ignored.
 */
export const format31: PaymentFormat = {
  fileType: 'UK.OBIE.PaymentInitiation.3.1',
  // 150 payments with every member at its longest fit in any script (246 kB in ASCII, 653 kB with four bytes a
  // character), and 300 bytes of SupplementaryData with each.
  mostBytes: 700_000,
  valuesOfPayment: 34,
  ...rulesOf(paymentItem31),
  readPostalAddress: (item, name, value) => readPostalAddress(item, name, value, address31),
  readRemittance: readRemittance31,
};

const { Unstructured, Reference } = remittanceInformation1.members;

export function readRemittance31(item: MemberReader, value: unknown): Remittance | undefined {
  const remittance = item.optionalObject('RemittanceInformation', value);
  if (remittance === undefined) return undefined;
  const reader = item.in('RemittanceInformation');
  const unstructured = reader.optionalText('Unstructured', remittance.Unstructured, Unstructured.longest);
  const reference = reader.optionalText('Reference', remittance.Reference, Reference.longest);
  return { unstructured, reference };
}

export const addressMembers31 = membersOfAddress(postalAddress6);

/** @returns the members of OBPostalAddress6 that are there, as sent */
export function knownAddressMembers(address: JsonObject): JsonObject {
  const known: Record<string, unknown> = {};
  for (const name of addressMembers31) if (address[name] !== undefined) known[name] = address[name];
  return known;
}
