import { attributeType } from './attribute-type.js';

export interface AttributeTypeAndValue {
  /** object identifier in dotted form */
  type: string;
  /** decoded text */
  value: string;
}

/** The attributes of one step of a name; more than one only in a multi-valued RDN. */
export type RelativeDistinguishedName = readonly AttributeTypeAndValue[];

/** A parsed name, in the order of the certificate's encoding: country first, common name last as a rule. */
export interface DistinguishedName {
  rdns: readonly RelativeDistinguishedName[];
}

/** Identifiers of the directory are base62: two of them may differ in nothing but case. */
const caseSensitiveTypes: ReadonlySet<string> = new Set([
  attributeType.commonName,
  attributeType.serialNumber,
  attributeType.organizationalUnitName,
  attributeType.organizationIdentifier,
]);

/**
 * Compares two names by their parsed values (RFC 8705 s2.1.2): all RDNs equal, in the same order or in reverse. The
 * reverse is allowed because some programs write names in the order of the encoding instead of RFC 4514's.
 * @returns whether both name the same subject
 */
export function isSameDistinguishedName(a: DistinguishedName, b: DistinguishedName): boolean {
  if (a.rdns.length === 0 || a.rdns.length !== b.rdns.length) return false;
  const left = a.rdns.map(comparableRdn);
  const right = b.rdns.map(comparableRdn);
  return (
    left.every((rdn, index) => rdn === right[index]) ||
    left.every((rdn, index) => rdn === right[right.length - 1 - index])
  );
}

/**
 * @param type dotted object identifier
 * @returns the value of that attribute; undefined if the name has none, or several, which identify nobody
 */
export function findAttributeValue(name: DistinguishedName, type: string): string | undefined {
  let found: string | undefined;
  for (const rdn of name.rdns) {
    for (const attribute of rdn) {
      if (attribute.type !== type) continue;
      if (found !== undefined) return undefined;
      found = attribute.value;
    }
  }
  return found;
}

function comparableRdn(rdn: RelativeDistinguishedName): string {
  // The attributes of one RDN are a set. JSON keeps types and values apart whatever characters they hold.
  return JSON.stringify(rdn.map((attribute) => [attribute.type, comparableValue(attribute)].join('=')).sort());
}

function comparableValue({ type, value }: AttributeTypeAndValue): string {
  // Insignificant space and compatibility forms, RFC 4518 s2.
  const prepared = value.normalize('NFKC').trim().replace(/ +/g, ' ');
  return caseSensitiveTypes.has(type) ? prepared : prepared.toLowerCase();
}
