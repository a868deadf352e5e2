import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { parseProxyHeader } from './proxy-header.js';

const signature = '0d0a0d0a000d0a515549540a';
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const text = (line: string): Buffer => Buffer.from(line, 'latin1');
const overV4 = hex(`${signature} 21 11 000c c0000207 c6336401 d431 01bb`);
const overV6 = hex(`${signature} 21 21 0024 20010db8000100020003000400050006 ${'00'.repeat(16)} 0050 01bb`);

describe('a header of the PROXY protocol', () => {
  it.each<[string, Buffer, ReturnType<typeof parseProxyHeader>]>([
    ['version 2, IPv4', overV4, { length: 28, source: { address: '192.0.2.7', port: 54_321 } }],
    ['version 2, IPv6', overV6, { length: 52, source: { address: '2001:db8:1:2:3:4:5:6', port: 80 } }],
    [
      'version 2, an IPv4 address on a socket for both',
      hex(`${signature} 21 21 0024 ${'00'.repeat(10)}ffffc0000207 ${'00'.repeat(16)} 0050 01bb`),
      { length: 52, source: { address: '192.0.2.7', port: 80 } },
    ],
    [
      'version 2, with values of the proxy’s own',
      hex(`${signature} 21 11 0010 c0000207 c6336401 d431 01bb e1000141`),
      { length: 32, source: { address: '192.0.2.7', port: 54_321 } },
    ],
    ['version 2, LOCAL', hex(`${signature} 20 00 0000`), { length: 16 }],
    ['version 2, LOCAL with addresses', hex(`${signature} 20 11 000c c0000207 c6336401 d431 01bb`), { length: 28 }],
    ['version 2, of no family', hex(`${signature} 21 00 0000`), { length: 16 }],
    [
      'version 1, IPv4',
      text('PROXY TCP4 192.0.2.7 198.51.100.1 54321 443\r\n'),
      { length: 45, source: { address: '192.0.2.7', port: 54_321 } },
    ],
    [
      'version 1, IPv6',
      text('PROXY TCP6 2001:db8::7 2001:db8::1 54321 443\r\n'),
      { length: 46, source: { address: '2001:db8::7', port: 54_321 } },
    ],
    ['version 1, unknown', text('PROXY UNKNOWN\r\n'), { length: 15 }],
  ])('%s', (_what, bytes, expected) => {
    expect(parseProxyHeader(bytes)).toEqual(expected);
    expect(parseProxyHeader(Buffer.concat([bytes, text('\x16\x03\x01')]))).toEqual(expected);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(parseProxyHeader(bytes.subarray(0, length))).toBeUndefined();
    }
  });

  it.each<[string, Buffer]>([
    ['a ClientHello', hex('16030100')],
    ['HTTP', text('GET / HTTP/1.1\r\n')],
    ['version 1 of the binary form', hex(`${signature} 11 11 000c c0000207 c6336401 d431 01bb`)],
    ['an unknown command', hex(`${signature} 22 11 000c c0000207 c6336401 d431 01bb`)],
    ['UDP', hex(`${signature} 21 12 000c c0000207 c6336401 d431 01bb`)],
    ['a socket of the file system', hex(`${signature} 21 31 00d8 ${'00'.repeat(216)}`)],
    ['addresses that do not fit', hex(`${signature} 21 11 0008 c0000207 c6336401`)],
    ['one that is announced too long', hex(`${signature} 21 11 03f1`)],
    ['another signature', hex('0d0a0d0a000d0a515549540b')],
    ['a line without end', text(`PROXY UNKNOWN ${'x'.repeat(200)}`)],
    ['a line of another protocol', text('PROXY UDP4 192.0.2.7 198.51.100.1 54321 443\r\n')],
    ['an invalid address', text('PROXY TCP4 192.0.2.777 198.51.100.1 54321 443\r\n')],
    ['an address of the other family', text('PROXY TCP6 1.2.3.4 2001:db8::1 54321 443\r\n')],
    ['an invalid port', text('PROXY TCP4 192.0.2.7 198.51.100.1 65536 443\r\n')],
    ['a newline alone', text('PROXY TCP4 192.0.2.7 198.51.100.1 54321 443\n')],
  ])('is not %s', (_what, bytes) => {
    expect(() => parseProxyHeader(bytes)).toThrow(expect.objectContaining({ name: 'ProxyHeaderError' }));
  });

  it('is found or refused, whatever the bytes, and never reaches beyond them', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 1_200 }),
      fc.uint8Array({ maxLength: 60 }).map((rest) => Uint8Array.from([...hex(signature), ...rest])),
      fc.string({ maxLength: 120 }).map((rest) => Uint8Array.from(text(`PROXY ${rest}`))),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        try {
          const header = parseProxyHeader(Buffer.from(given));
          expect(header?.length ?? 0).toBeLessThanOrEqual(given.length);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ProxyHeaderError' });
        }
      }),
    );
  });
});
