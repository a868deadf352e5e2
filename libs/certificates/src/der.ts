import { CertificateError } from './certificate.errors.js';

/** One element of a DER encoding (X.690 s8.1). */
export interface DerElement {
  /** identifier byte: class, constructed bit and number */
  tag: number;
  /** contents bytes */
  contents: Buffer;
  /** the whole element, identifier and length included */
  encoded: Buffer;
}

/** The identifier bytes that occur in names and extensions. */
export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  crlExtensions: 0xa0,
  extensions: 0xa3,
} as const;

/**
 * Reads the elements of a DER encoding that lie side by side. Definite lengths of up to 16 megabytes only: no
 * revocation list that is read here is longer.
 * @param bytes the contents of a constructed element, or a whole encoding
 * @param maxElements more of them are an error, for what nobody has signed yet: two bytes can be an element
 * @throws CertificateError `malformed` if the bytes are not a sequence of elements
 */
export function readDerElements(bytes: Buffer, maxElements = Infinity): DerElement[] {
  const elements: DerElement[] = [];
  for (let start = 0; start < bytes.length;) {
    if (elements.length >= maxElements) throw malformed();
    const { headerLength, length } = readDerHeader(bytes, start);
    const end = start + headerLength + length;
    if (end > bytes.length) throw malformed();
    elements.push({
      tag: bytes[start] ?? 0,
      contents: bytes.subarray(start + headerLength, end),
      encoded: bytes.subarray(start, end),
    });
    start = end;
  }
  return elements;
}

/**
 * @param bytes an encoding that must be one single element with this tag
 * @returns its contents
 * @throws CertificateError `malformed`
 */
export function readDerElement(bytes: Buffer, tag: number): Buffer {
  const [element] = readDerElements(bytes, 1);
  if (element?.tag !== tag) throw malformed();
  return element.contents;
}

/**
 * @param contents of an OBJECT IDENTIFIER
 * @returns the dotted form
 * @throws CertificateError `malformed`
 */
export function readObjectIdentifier(contents: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of contents) {
    arc = arc * 128 + (byte & 0x7f);
    if (arc > Number.MAX_SAFE_INTEGER / 256) throw malformed();
    if ((byte & 0x80) !== 0) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first, ...rest] = arcs;
  if (first === undefined || ((contents.at(-1) ?? 0) & 0x80) !== 0) throw malformed();
  // The first two arcs share one number (X.690 s8.19.4).
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

function readDerHeader(bytes: Buffer, start: number): { headerLength: number; length: number } {
  const tag = bytes[start];
  const first = bytes[start + 1];
  // High tag numbers and indefinite lengths have no place in a certificate.
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw malformed();
  if (first < 0x80) return { headerLength: 2, length: first };
  const lengthBytes = first & 0x7f;
  if (lengthBytes < 1 || lengthBytes > 3 || start + 2 + lengthBytes > bytes.length) throw malformed();
  const length = bytes.readUIntBE(start + 2, lengthBytes);
  // DER has one encoding of each length (X.690 s10.1); OpenSSL may read another one differently.
  if (length < 0x80 || length < 256 ** (lengthBytes - 1)) throw malformed();
  return { headerLength: 2 + lengthBytes, length };
}

function malformed(): CertificateError {
  return new CertificateError('malformed', 'The encoding is not valid DER.');
}
