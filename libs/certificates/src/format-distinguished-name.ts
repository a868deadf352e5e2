import { attributeType, attributeTypeName } from './attribute-type.js';
import type { AttributeTypeAndValue, DistinguishedName, RelativeDistinguishedName } from './distinguished-name.js';

/**
 * Writes a name in the form of RFC 4514, common name first. A certificate whose encoding begins with the common name is
 * written in that order, because registered names have to begin with `CN=`.
 */
export function formatDistinguishedName(name: DistinguishedName): string {
  const reversed = name.rdns.toReversed();
  const rdns = !startsWithCommonName(reversed) && startsWithCommonName(name.rdns) ? name.rdns : reversed;
  return rdns.map((rdn) => rdn.map(formatAttribute).join('+')).join(',');
}

function startsWithCommonName(rdns: readonly RelativeDistinguishedName[]): boolean {
  return rdns[0]?.[0]?.type === attributeType.commonName;
}

function formatAttribute({ type, value }: AttributeTypeAndValue): string {
  const typeName = attributeTypeName(type);
  // A type that is written as an object identifier has its value in hexadecimal (RFC 4514 s2.4).
  return typeName === undefined ? `${type}=${hexValue(value)}` : `${typeName}=${escapeValue(value)}`;
}

function hexValue(value: string): string {
  const contents = Buffer.from(value, 'utf8');
  return `#${Buffer.concat([Buffer.from([0x0c, ...derLength(contents.length)]), contents]).toString('hex')}`;
}

/** The only DER encoding of a length below 64 kB (X.690 s10.1). */
function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function escapeValue(value: string): string {
  return value
    .replace(/["+,;<>\\]/g, (character) => `\\${character}`)
    .replace(/^[ #]/, (character) => `\\${character}`)
    .replace(/ $/, '\\ ')
    .replace(/\p{Cc}/gu, (character) => [...Buffer.from(character, 'utf8')].map(escapeByte).join(''));
}

function escapeByte(byte: number): string {
  return `\\${byte.toString(16).padStart(2, '0')}`;
}
