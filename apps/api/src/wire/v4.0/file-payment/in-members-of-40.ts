import type { Initiation } from '#libs/consent';
import { addressTypes40, isJsonObject } from '#libs/obie-rules';
import { toShown } from '../../file-payment/read/to-initiation.js';
import { knownMembers } from '../../form/read-body.js';
import { OBReportedDomestic2 } from './bodies.js';

type Members = Readonly<Record<string, unknown>>;

/** Address types by their 3.1 names (OBAddressTypeCode). */
const codesOfAddressTypes = new Map(Object.entries(addressTypes40).map(([code, name]) => [name, code]));

/**
 * @returns Data.Initiation of a 4.0 consent unchanged, and that of a 3.1 consent in the members of 4.0, with its
 * FileType unchanged
 */
export function initiationIn40(initiation: Initiation): object {
  const { RemittanceInformation, ...rest } = initiation;
  return RemittanceInformation === undefined
    ? rest
    : { ...rest, RemittanceInformation: remittanceIn40(RemittanceInformation) };
}

/** @returns a payment of a 4.0 or 3.1 file in the members of 4.0, with its PaymentId */
export function reportedPaymentIn40({ PaymentId, ...payment }: Members): object {
  return { PaymentId, ...paymentIn40(payment) };
}

/** @returns a payment of 4.0 or 3.1 in the members of 4.0 */
export function paymentIn40(payment: Members): Members {
  const { RemittanceInformation, CreditorPostalAddress, ...rest } = payment;
  const members = {
    ...rest,
    ...(CreditorPostalAddress === undefined ? {} : { CreditorPostalAddress: addressIn40(CreditorPostalAddress) }),
    ...(RemittanceInformation === undefined ? {} : { RemittanceInformation: remittanceIn40(RemittanceInformation) }),
  };
  return toShown(knownMembers(OBReportedDomestic2, members));
}

/** Unstructured becomes a list of one text, Reference the payee's reference. */
function remittanceIn40(remittance: unknown): unknown {
  if (!isJsonObject(remittance)) return remittance;
  const { Reference, Unstructured, ...rest } = remittance;
  return {
    ...rest,
    ...(Reference === undefined ? {} : { Structured: [{ CreditorReferenceInformation: { Reference } }] }),
    ...(Unstructured === undefined ? {} : { Unstructured: [Unstructured].flat() }),
  };
}

function addressIn40(address: unknown): unknown {
  if (!isJsonObject(address) || typeof address.AddressType !== 'string') return address;
  return { ...address, AddressType: codesOfAddressTypes.get(address.AddressType) ?? address.AddressType };
}
