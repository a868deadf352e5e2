import { parseAttributeType } from './attribute-type.js';
import { CertificateError, DistinguishedNameError } from './certificate.errors.js';
import { decodeDerString } from './der-string.js';
import { readDerElements } from './der.js';
import type { AttributeTypeAndValue, DistinguishedName } from './distinguished-name.js';

/** Longer than any subject of a real certificate. */
const maxLength = 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the text form of a name, RFC 4514: escapes, quoted values of RFC 2253, `#hex`, multi-valued RDNs, types as
 * names, object identifiers or `OID.` with an object identifier.
 * @param text as registered or configured; the last RDN of the encoding comes first
 * @throws DistinguishedNameError if it is not such a name
 */
export function parseDistinguishedName(text: string): DistinguishedName {
  if (text.length > maxLength) throw new DistinguishedNameError(`A name has at most ${maxLength} characters.`);
  const cursor: Cursor = { text, position: 0 };
  const rdns: AttributeTypeAndValue[][] = [[]];
  for (;;) {
    rdns.at(-1)?.push(readAttribute(cursor));
    const separator = cursor.text[cursor.position++];
    if (separator === undefined) return { rdns: rdns.toReversed() };
    if (separator !== '+') rdns.push([]);
  }
}

interface Cursor {
  readonly text: string;
  position: number;
}

function readAttribute(cursor: Cursor): AttributeTypeAndValue {
  const equals = cursor.text.indexOf('=', cursor.position);
  if (equals < 0) throw new DistinguishedNameError('An attribute without "=".');
  const type = parseAttributeType(cursor.text.slice(cursor.position, equals).trim());
  cursor.position = equals + 1;
  skipSpaces(cursor);
  const value = readValue(cursor);
  skipSpaces(cursor);
  const next = cursor.text[cursor.position];
  if (next !== undefined && !isSeparator(next)) throw new DistinguishedNameError('Characters after a closed value.');
  return { type, value };
}

function readValue(cursor: Cursor): string {
  const first = cursor.text[cursor.position];
  if (first === '#') return readHexValue(cursor);
  if (first === '"') return readQuotedValue(cursor);
  return readPlainValue(cursor);
}

/** `#` and the DER encoding of the value in hexadecimal, RFC 4514 s2.4. */
function readHexValue(cursor: Cursor): string {
  const digits = /^#((?:[0-9a-fA-F]{2})+)/.exec(cursor.text.slice(cursor.position))?.[1];
  if (digits === undefined) throw new DistinguishedNameError('"#" without hexadecimal digits.');
  cursor.position += digits.length + 1;
  try {
    const [element, ...others] = readDerElements(Buffer.from(digits, 'hex'));
    if (element === undefined || others.length > 0) throw new DistinguishedNameError('"#" without one DER value.');
    return decodeDerString(element);
  } catch (error) {
    if (error instanceof CertificateError)
      throw new DistinguishedNameError('"#" without a DER value.', { cause: error });
    throw error;
  }
}

function readQuotedValue(cursor: Cursor): string {
  const parts: Buffer[] = [];
  cursor.position += 1;
  for (;;) {
    const character = cursor.text[cursor.position];
    if (character === undefined) throw new DistinguishedNameError('A quoted value without its closing quote.');
    if (character === '"') break;
    parts.push(readCharacter(cursor));
  }
  cursor.position += 1;
  return decodeUtf8(parts);
}

function readPlainValue(cursor: Cursor): string {
  const parts: Buffer[] = [];
  let significantParts = 0;
  for (;;) {
    const character = cursor.text[cursor.position];
    if (character === undefined || isSeparator(character)) break;
    if (character === '"') throw new DistinguishedNameError('A quote within a value must be escaped.');
    parts.push(readCharacter(cursor));
    // Spaces at the end count only when escaped.
    if (character !== ' ') significantParts = parts.length;
  }
  if (significantParts === 0) throw new DistinguishedNameError('An attribute without a value.');
  return decodeUtf8(parts.slice(0, significantParts));
}

/** One character, or the byte or character of one escape sequence (RFC 4514 s3, `pair`). */
function readCharacter(cursor: Cursor): Buffer {
  const codePoint = String.fromCodePoint(cursor.text.codePointAt(cursor.position) ?? 0);
  cursor.position += codePoint.length;
  if (codePoint !== '\\') return Buffer.from(codePoint, 'utf8');
  const hexPair = /^[0-9a-fA-F]{2}/.exec(cursor.text.slice(cursor.position, cursor.position + 2))?.[0];
  if (hexPair !== undefined) {
    cursor.position += 2;
    return Buffer.from(hexPair, 'hex');
  }
  const escaped = cursor.text[cursor.position];
  if (escaped === undefined || !' "#+,;<=>\\'.includes(escaped)) {
    throw new DistinguishedNameError('An escape sequence that does not exist.');
  }
  cursor.position += 1;
  return Buffer.from(escaped, 'utf8');
}

function decodeUtf8(parts: readonly Buffer[]): string {
  try {
    return utf8.decode(Buffer.concat(parts));
  } catch (cause) {
    throw new DistinguishedNameError('A value that is not UTF-8.', { cause });
  }
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.position] === ' ') cursor.position += 1;
}

function isSeparator(character: string): boolean {
  return character === ',' || character === ';' || character === '+';
}
