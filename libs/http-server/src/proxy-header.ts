import { isIP } from 'node:net';

/** More than any proxy sends: addresses, and some values of its own. */
const longestHeader = 1_024;
/** Version 1 is one line of text, of 107 bytes at most (PROXY protocol 2.1). */
const longestLine = 107;

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const fixedLength = 16;
const mappedPrefix = Buffer.from('00000000000000000000ffff', 'hex');

/** What a proxy states about a connection before its first byte. */
export interface ProxyHeader {
  /** length in bytes */
  readonly length: number;
  /** address of the client; undefined if the proxy itself is the client, or does not know */
  readonly source?: { readonly address: string; readonly port: number };
}

/** No PROXY header, or an unusable one. */
export class ProxyHeaderError extends Error {
  override readonly name = 'ProxyHeaderError';
}

/**
 * Reads the header of the PROXY protocol, version 1 or 2, for TCP.
 * @param bytes the first ones of a connection
 * @returns undefined while it is not whole
 * @throws ProxyHeaderError as soon as the bytes cannot become one
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const common = Math.min(bytes.length, signature.length);
  if (bytes.subarray(0, common).equals(signature.subarray(0, common))) {
    return bytes.length < fixedLength ? undefined : parseBinary(bytes);
  }
  return parseLine(bytes);
}

/** Version 2 (PROXY protocol 2.2). */
function parseBinary(bytes: Buffer): ProxyHeader | undefined {
  const [versionAndCommand = 0, familyAndTransport = 0] = bytes.subarray(12, 14);
  if (versionAndCommand !== 0x20 && versionAndCommand !== 0x21)
    throw new ProxyHeaderError('unknown version or command');
  const length = fixedLength + bytes.readUInt16BE(14);
  if (length > longestHeader) throw new ProxyHeaderError(`longer than ${longestHeader} bytes`);
  if (bytes.length < length) return undefined;
  // LOCAL: the proxy itself is the client, e.g. for a health check; ignore the rest.
  if (versionAndCommand === 0x20) return { length };
  const isV6 = familyAndTransport === 0x21;
  if (familyAndTransport === 0x00) return { length };
  if (!isV6 && familyAndTransport !== 0x11) throw new ProxyHeaderError('neither TCP over IPv4 nor over IPv6');
  const size = isV6 ? 16 : 4;
  if (length < fixedLength + 2 * size + 4) throw new ProxyHeaderError('too short for its addresses');
  const address = formatAddress(bytes.subarray(fixedLength, fixedLength + size));
  return { length, source: { address, port: bytes.readUInt16BE(fixedLength + 2 * size) } };
}

const line =
  /^PROXY (?:UNKNOWN(?: [^\r\n]*)?|TCP4 ([0-9.]{7,15}) ([0-9.]{7,15}) (\d{1,5}) (\d{1,5})|TCP6 ([0-9a-fA-F:.]{2,45}) ([0-9a-fA-F:.]{2,45}) (\d{1,5}) (\d{1,5}))\r\n/;
const lineStart = 'PROXY ';

/** Version 1, the one that nginx speaks. */
function parseLine(bytes: Buffer): ProxyHeader | undefined {
  const text = bytes.toString('latin1', 0, longestLine);
  if (!text.startsWith(lineStart.slice(0, text.length))) throw new ProxyHeaderError('no PROXY header');
  const found = line.exec(text);
  if (found === null) {
    if (text.includes('\n') || text.length === longestLine) throw new ProxyHeaderError('a malformed line');
    return undefined;
  }
  const [whole, source4, target4, port4, otherPort4, source6, target6, port6, otherPort6] = found;
  const { length } = whole;
  const [address, target] = [source4 ?? source6, target4 ?? target6];
  if (address === undefined || target === undefined) return { length };
  const family = source4 === undefined ? 6 : 4;
  const ports = [port4 ?? port6, otherPort4 ?? otherPort6].map(Number);
  if ([address, target].some((each) => isIP(each) !== family) || ports.some((port) => port > 65_535)) {
    throw new ProxyHeaderError('malformed addresses');
  }
  return { length, source: { address, port: ports[0] ?? 0 } };
}

function formatAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  // A dual-stack socket reports IPv4 addresses like this (RFC 4291 s2.5.5.2).
  if (bytes.subarray(0, 12).equals(mappedPrefix)) return bytes.subarray(12).join('.');
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16)).join(':');
}
