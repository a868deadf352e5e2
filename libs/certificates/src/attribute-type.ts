import { DistinguishedNameError } from './certificate.errors.js';

/** Object identifiers of the attribute types that the code uses by name (X.520, RFC 4519). */
export const attributeType = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  organizationName: '2.5.4.10',
  organizationalUnitName: '2.5.4.11',
  organizationIdentifier: '2.5.4.97',
} as const;

/** The name under which a type is written, RFC 4514 s3 and X.520. */
const writtenNames: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'STREET'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.12', 'title'],
  ['2.5.4.15', 'businessCategory'],
  ['2.5.4.17', 'postalCode'],
  ['2.5.4.42', 'GN'],
  ['2.5.4.97', 'organizationIdentifier'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['1.2.840.113549.1.9.1', 'emailAddress'],
  ['1.3.6.1.4.1.311.60.2.1.1', 'jurisdictionL'],
  ['1.3.6.1.4.1.311.60.2.1.2', 'jurisdictionST'],
  ['1.3.6.1.4.1.311.60.2.1.3', 'jurisdictionC'],
]);

/** Every spelling met in the field, in lower case. */
const readNames: ReadonlyMap<string, string> = new Map([
  ...[...writtenNames].map(([oid, name]): [string, string] => [name.toLowerCase(), oid]),
  ['commonname', '2.5.4.3'],
  ['surname', '2.5.4.4'],
  ['countryname', '2.5.4.6'],
  ['localityname', '2.5.4.7'],
  ['s', '2.5.4.8'],
  ['stateorprovincename', '2.5.4.8'],
  ['streetaddress', '2.5.4.9'],
  ['organizationname', '2.5.4.10'],
  ['organizationalunitname', '2.5.4.11'],
  ['givenname', '2.5.4.42'],
  ['organisationidentifier', '2.5.4.97'],
  ['userid', '0.9.2342.19200300.100.1.1'],
  ['domaincomponent', '0.9.2342.19200300.100.1.25'],
  ['e', '1.2.840.113549.1.9.1'],
]);

const dottedForm = /^(?:oid\.)?((?:0|1|2)(?:\.(?:0|[1-9][0-9]{0,15})){1,30})$/i;

/**
 * @param text a name in any case, or an object identifier with or without the prefix `OID.`
 * @returns the object identifier in dotted form
 * @throws DistinguishedNameError if the name is not known
 */
export function parseAttributeType(text: string): string {
  const oid = readNames.get(text.toLowerCase()) ?? dottedForm.exec(text)?.[1];
  if (oid === undefined) throw new DistinguishedNameError('The name has an unknown attribute type.');
  return oid;
}

/**
 * @param oid dotted form
 * @returns the name to write it with; undefined if only the dotted form is left (RFC 4514 s2.3)
 */
export function attributeTypeName(oid: string): string | undefined {
  return writtenNames.get(oid);
}
