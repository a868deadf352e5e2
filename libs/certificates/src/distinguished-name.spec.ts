import { beforeAll, describe, expect, it } from '@jest/globals';
import type { X509Certificate } from 'node:crypto';
import { issueCertificate } from '../test/issue-certificate.js';
import { DistinguishedNameError } from './certificate.errors.js';
import { distinguishedNameOf } from './certificate-fields.js';
import { isSameDistinguishedName } from './distinguished-name.js';
import { formatDistinguishedName } from './format-distinguished-name.js';
import { parseDistinguishedName } from './parse-distinguished-name.js';

const hex = (tag: number, text: string): string =>
  `#${Buffer.concat([Buffer.from([tag, Buffer.byteLength(text)]), Buffer.from(text)]).toString('hex')}`;
const isSame = (a: string, b: string): boolean =>
  isSameDistinguishedName(parseDistinguishedName(a), parseDistinguishedName(b));

describe('the subject of an OBWAC (RFC 8705 s2.1.2)', () => {
  let certificate: X509Certificate;

  beforeAll(async () => {
    ({ certificate } = await issueCertificate({
      subject: [
        { C: ['GB'] },
        { O: ['Example TPP, Ltd'] },
        { '2.5.4.97': [{ utf8String: 'PSDGB-FCA-123456' }] },
        { CN: ['001580000103UAvAAM'] },
      ],
    }));
  });

  it.each([
    ['name of the type', 'CN=001580000103UAvAAM,organizationIdentifier=PSDGB-FCA-123456,O=Example TPP\\, Ltd,C=GB'],
    [
      'object identifier and hexadecimal UTF8String',
      `CN=001580000103UAvAAM,2.5.4.97=${hex(0x0c, 'PSDGB-FCA-123456')},O=Example TPP\\2C Ltd,C=GB`,
    ],
    [
      'hexadecimal PrintableString',
      `CN=001580000103UAvAAM,2.5.4.97=${hex(0x13, 'PSDGB-FCA-123456')},O=Example TPP\\, Ltd,C=GB`,
    ],
    [
      'object identifier and text',
      '2.5.4.3=001580000103UAvAAM,2.5.4.97=PSDGB-FCA-123456,2.5.4.10=Example TPP\\, Ltd,2.5.4.6=GB',
    ],
    ['prefix OID.', 'CN=001580000103UAvAAM, OID.2.5.4.97=PSDGB-FCA-123456, O="Example TPP, Ltd", C=GB'],
    [
      'spaces around separators',
      ' cn = 001580000103UAvAAM , organizationIdentifier = PSDGB-FCA-123456 , o = example tpp\\, ltd , c = gb ',
    ],
    ['semicolons', 'CN=001580000103UAvAAM;organizationIdentifier=PSDGB-FCA-123456;O=Example TPP\\, Ltd;C=GB'],
    [
      'order of the encoding',
      'C=GB,O=Example TPP\\, Ltd,organizationIdentifier=PSDGB-FCA-123456,CN=001580000103UAvAAM',
    ],
  ])('matches however it is spelt: %s (RFC 4514)', (_spelling, text) => {
    expect(isSameDistinguishedName(parseDistinguishedName(text), distinguishedNameOf(certificate))).toBe(true);
  });

  it.each([
    ['another case in CN', 'CN=001580000103uavaam,organizationIdentifier=PSDGB-FCA-123456,O=Example TPP\\, Ltd,C=GB'],
    ['a missing RDN', 'CN=001580000103UAvAAM,O=Example TPP\\, Ltd,C=GB'],
    ['a further RDN', 'CN=001580000103UAvAAM,organizationIdentifier=PSDGB-FCA-123456,O=Example TPP\\, Ltd,L=X,C=GB'],
    ['two RDNs exchanged', 'CN=001580000103UAvAAM,O=Example TPP\\, Ltd,organizationIdentifier=PSDGB-FCA-123456,C=GB'],
  ])('does not match with %s', (_difference, text) => {
    expect(isSameDistinguishedName(parseDistinguishedName(text), distinguishedNameOf(certificate))).toBe(false);
  });

  it('is written with the common name first and reads back as the same name', () => {
    const text = formatDistinguishedName(distinguishedNameOf(certificate));
    expect(text).toBe('CN=001580000103UAvAAM,organizationIdentifier=PSDGB-FCA-123456,O=Example TPP\\, Ltd,C=GB');
    expect(isSameDistinguishedName(parseDistinguishedName(text), distinguishedNameOf(certificate))).toBe(true);
  });
});

describe('parseDistinguishedName (RFC 4514 s3)', () => {
  it('reads escaped bytes as UTF-8', () => {
    expect(parseDistinguishedName('CN=Lu\\C4\\8Di\\C4\\87').rdns).toEqual([[{ type: '2.5.4.3', value: 'Lučić' }]]);
  });

  it('keeps escaped spaces and drops the others at the ends', () => {
    expect(parseDistinguishedName('CN=\\ a b\\   ').rdns).toEqual([[{ type: '2.5.4.3', value: ' a b ' }]]);
  });

  it('treats the attributes of one RDN as a set', () => {
    expect(isSame('CN=a+OU=b,C=GB', 'OU=b+CN=a,C=GB')).toBe(true);
    expect(isSame('CN=a+OU=b,C=GB', 'CN=a,OU=b,C=GB')).toBe(false);
  });

  it('does not let an escaped separator become one', () => {
    expect(isSame('CN=a\\,OU=b', 'CN=a,OU=b')).toBe(false);
    expect(isSame('CN=a\\+OU\\=b', 'CN=a+OU=b')).toBe(false);
  });

  it.each([
    '',
    ',',
    'CN',
    'CN=',
    'CN=a,',
    'CN=a,,C=GB',
    'nonsense=a',
    '=a',
    'CN="a',
    'CN="a"b',
    'CN=a"b',
    'CN=#',
    'CN=#0',
    'CN=#zz',
    'CN=#0c05',
    'CN=#0201ff',
    'CN=\\',
    'CN=\\zz',
    'CN=\\ff',
    '1=a',
    '/C=GB/CN=a',
    `CN=${'a'.repeat(2_000)}`,
    'CN=#0c0161zz',
  ])('refuses %j', (text) => {
    expect(() => parseDistinguishedName(text)).toThrow(DistinguishedNameError);
  });
});

describe('formatDistinguishedName (RFC 4514 s2)', () => {
  it.each(['CN=a\\+b\\,c\\;d\\<e\\>f\\\\\\"', 'CN=\\#a', 'CN=\\ a\\ ', 'CN=a\\0d\\0ab', '1.2.3.4=#0c0161'])(
    'writes %s as it was',
    (text) => {
      expect(formatDistinguishedName(parseDistinguishedName(text))).toBe(text);
    },
  );

  it.each([127, 128, 255, 256])(
    'writes a value of %i bytes under a type without a name so that it reads back',
    (length) => {
      const name = { rdns: [[{ type: '1.2.3.4', value: 'a'.repeat(length) }]] };
      expect(parseDistinguishedName(formatDistinguishedName(name))).toEqual(name);
    },
  );

  it('keeps the order of an encoding that begins with the common name', () => {
    expect(formatDistinguishedName(parseDistinguishedName('C=GB,O=x,CN=a'))).toBe('CN=a,O=x,C=GB');
  });
});
