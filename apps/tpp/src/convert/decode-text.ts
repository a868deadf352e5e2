import { type Fault, refuse } from './converted-file.js';

/** In no format is a file longer that the bank would accept. */
export const mostBytes = 2_097_152;

const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * @returns the text without its byte order mark: UTF-8, or what the mark says. Bytes that are not of this encoding
 * become U+FFFD.
 */
export function decodeText(bytes: Buffer): string | { faults: readonly Fault[] } {
  if (bytes.length > mostBytes) return refuse(1, 'The file is longer than 2 MB.');
  const mark = marks.find((each) => each.bytes.every((byte, index) => bytes[index] === byte));
  const text = new TextDecoder(mark?.encoding ?? 'utf-8').decode(bytes);
  // ASCII in UTF-16: every second byte is zero.
  if (mark === undefined && text.slice(0, 64).split('\0').length > 16)
    return refuse(1, 'The file looks like UTF-16 without a byte order mark. Save it as UTF-8.');
  return text;
}
