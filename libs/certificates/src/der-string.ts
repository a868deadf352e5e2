import { DistinguishedNameError } from './certificate.errors.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });

/** How the contents of each ASN.1 string type become text. T61 is read as Latin-1, as every implementation does. */
const decoders: ReadonlyMap<number, (contents: Buffer) => string> = new Map([
  [0x0c, (contents) => utf8.decode(contents)],
  [0x12, (contents) => contents.toString('latin1')],
  [0x13, (contents) => contents.toString('latin1')],
  [0x14, (contents) => contents.toString('latin1')],
  [0x16, (contents) => contents.toString('latin1')],
  [0x1c, decodeUniversalString],
  [0x1e, (contents) => utf16.decode(contents)],
]);

/**
 * @param element one ASN.1 string: UTF8, Numeric, Printable, T61, IA5, Universal or BMP
 * @returns its text
 * @throws DistinguishedNameError for any other type or for bytes that are not valid text of that type
 */
export function decodeDerString(element: { tag: number; contents: Buffer }): string {
  const decode = decoders.get(element.tag);
  if (decode === undefined) throw new DistinguishedNameError('An attribute value is not a string.');
  try {
    return decode(element.contents);
  } catch (cause) {
    throw new DistinguishedNameError('An attribute value is not valid text.', { cause });
  }
}

function decodeUniversalString(contents: Buffer): string {
  if (contents.length % 4 !== 0) throw new RangeError('A UniversalString has four bytes per character.');
  const codePoints: number[] = [];
  for (let offset = 0; offset < contents.length; offset += 4) codePoints.push(contents.readUInt32BE(offset));
  return String.fromCodePoint(...codePoints);
}
