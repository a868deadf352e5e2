import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as x509 from '@peculiar/x509';
import { fc } from '../../../test/support/fast-check.js';
import {
  certificateAuthority,
  clientAuthentication,
  issueCertificate,
  testNow,
  type IssuedCertificate,
} from '../test/issue-certificate.js';
import { issueOcspResponse, issueRevocationList } from '../test/issue-revocation.js';
import { distinguishedNameOf } from './certificate-fields.js';
import { CertificateError, DistinguishedNameError, RevocationError } from './certificate.errors.js';
import { derTag, readDerElement, readDerElements, readObjectIdentifier } from './der.js';
import { isSameDistinguishedName } from './distinguished-name.js';
import { formatDistinguishedName } from './format-distinguished-name.js';
import { parseForwardedCertificate } from './forwarded-certificate.js';
import { verifyOcspResponse } from './ocsp.js';
import { parseDistinguishedName } from './parse-distinguished-name.js';
import { revocationAddressesOf } from './revocation-addresses.js';
import { leastMilliseconds } from '../../../test/support/least-milliseconds.js';
import { parseRevocationList } from './revocation-list.js';
import { verifyCertificateBelongsToSoftware } from './verify-certificate-belongs-to-software.js';
import { verifyCertificateChain } from './verify-certificate-chain.js';

// More runs by hand: FUZZ_RUNS=100000.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 400);

let root: IssuedCertificate;
let client: IssuedCertificate;
let list: Buffer;
let answer: Buffer;

beforeAll(async () => {
  root = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
  client = await issueCertificate({
    subject: [{ C: ['GB'] }, { O: ['Ünïcode & Söhne'] }, { '2.5.4.97': ['PSDGB-FCA-123456'] }, { CN: ['org'] }],
    issuer: root,
    extensions: [
      clientAuthentication(),
      new x509.CRLDistributionPointsExtension(['http://a.test/a.crl']),
      new x509.AuthorityInfoAccessExtension({ ocsp: ['https://a.test/ocsp'] }),
    ],
  });
  list = await issueRevocationList({ issuer: root, serialNumbers: ['01', '40ff', '7a'] });
  const of = { certificate: client.certificate, issuer: root.certificate };
  answer = issueOcspResponse({ ...of, signer: root });
});

/** Some bytes set, some taken out, some put in. */
const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    bytes: fc.uint8Array({ maxLength: 6 }),
    removed: fc.integer({ min: 0, max: 6 }),
  }),
  { minLength: 1, maxLength: 4 },
);
type Change = { at: number; bytes: Uint8Array; removed: number };

const applied = (bytes: Buffer, all: readonly Change[]): Buffer =>
  all.reduce((now, { at, bytes: inserted, removed }) => {
    const start = Math.floor(at * now.length);
    return Buffer.concat([now.subarray(0, start), inserted, now.subarray(start + removed)]);
  }, bytes);

/** Runs a reader: it must answer, or throw one of the errors that its callers expect. */
const attempt = <Result>(work: () => Result, errors: readonly (new (...parameters: never[]) => Error)[]) => {
  try {
    return { result: work() };
  } catch (error) {
    if (!errors.some((type) => error instanceof type)) throw error;
    return { error };
  }
};

const chain = (certificate: X509Certificate): unknown =>
  verifyCertificateChain({ certificate, intermediates: [], trustAnchors: [root.certificate], now: testNow });

const readList = (der: Buffer): boolean =>
  parseRevocationList({ der, issuer: root.certificate, now: testNow }).isRevoked(client.certificate);

describe('encodings that were tampered with', () => {
  it('no changed certificate is verified, and none brings its reader down', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const der = applied(client.certificate.raw, all);
        let certificate: X509Certificate;
        try {
          certificate = new X509Certificate(der);
        } catch {
          return; // OpenSSL reads it first; nobody else sees what it cannot read
        }
        const names = [CertificateError, DistinguishedNameError];
        attempt(() => distinguishedNameOf(certificate), names);
        const ownership = { certificate, orgId: 'org', softwareId: 'software' };
        attempt(() => verifyCertificateBelongsToSoftware(ownership), [CertificateError]);
        attempt(() => revocationAddressesOf(certificate), [Error]);
        const { result } = attempt(() => chain(certificate), [CertificateError]);
        // OpenSSL forgives bytes after the certificate; they are not part of it.
        if (result !== undefined) expect(certificate.raw).toEqual(client.certificate.raw);
      }),
      { numRuns },
    );
    expect(chain(client.certificate)).toHaveLength(2);
  });

  it('no changed revocation list counts', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const der = applied(list, all);
        const { result } = attempt(() => readList(der), [RevocationError]);
        if (result !== undefined) expect(der).toEqual(list);
      }),
      { numRuns },
    );
    expect(readList(list)).toBe(false);
  });

  it('no changed OCSP answer counts', () => {
    const of = { certificate: client.certificate, issuer: root.certificate };
    const read = (der: Buffer): boolean => verifyOcspResponse({ ...of, der, now: testNow }).isRevoked;
    fc.assert(
      fc.property(changes, (all) => {
        const { result } = attempt(() => read(applied(answer, all)), [RevocationError]);
        // The certificates beside the answer are not signed, and may change as long as nothing depends on them.
        if (result !== undefined) expect(result).toBe(false);
      }),
      { numRuns },
    );
    expect(read(answer)).toBe(false);
  });

  it('an encoding is one element of its type, with nothing behind it', () => {
    const outcomes = ['020105', '', '02', '0201', '030105', '020105020106', '02010500'].map((hex) =>
      attempt(() => readDerElement(Buffer.from(hex, 'hex'), 2).toString('hex'), [CertificateError]),
    );
    expect(outcomes.map(({ result }) => result)).toEqual(['05', ...Array.from({ length: 6 })]);
  });

  it('no bytes and no header bring a reader down', () => {
    const format = fc.constantFrom('client-cert' as const, 'nginx' as const, 'envoy' as const);
    const escaped = encodeURIComponent(client.certificate.toString());
    const part = fc.constantFrom(escaped, ':', ',', ';', '"', '\\', 'Cert=', 'Chain=', '%', '%ff', 'AAAA', '=');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), format, fc.array(part, { maxLength: 8 }), (array, form, parts) => {
        const bytes = Buffer.from(array);
        attempt(() => readDerElements(bytes), [CertificateError]);
        attempt(() => readDerElement(bytes, derTag.sequence), [CertificateError]);
        attempt(() => readObjectIdentifier(bytes), [CertificateError]);
        attempt(() => parseRevocationList({ der: bytes, issuer: root.certificate, now: testNow }), [RevocationError]);
        const value = parts.join('');
        const headers = { 'client-cert': value, 'ssl-client-cert': value, 'x-forwarded-client-cert': value };
        const found = parseForwardedCertificate(form, headers);
        if (found !== undefined) expect(found.certificate.raw).toEqual(client.certificate.raw);
      }),
      { numRuns },
    );
  });

  it('an unsigned list of a million elements is refused before it is parsed', async () => {
    const length = 4_000_000;
    const header = Buffer.from([0x30, 0x83, length >>> 16, (length >>> 8) & 0xff, length & 0xff]);
    const der = Buffer.concat([header, Buffer.alloc(length, Buffer.from('0500', 'hex'))]);
    const refuse = (): void =>
      expect(() => parseRevocationList({ der, issuer: root.certificate, now: testNow })).toThrow(
        expect.objectContaining({ reason: 'malformed' }),
      );
    expect(await leastMilliseconds(100, refuse)).toBeLessThan(100);
  });

  it.each([
    ['a length in more bytes than it needs', '3081020500'],
    ['a length with zeros in front', '308300000205 00'.replace(' ', '')],
    ['an indefinite length', '308005000000'],
    ['a length beyond the end', '30050500'],
    ['a high tag number', '1f8101020500'],
  ])('refuses %s (X.690 s10.1)', (_what, hex) => {
    expect(() => readDerElements(Buffer.from(hex, 'hex'))).toThrow(expect.objectContaining({ reason: 'malformed' }));
  });

  it('stops looking for a path among authorities that certify each other', async () => {
    // Ten certificates of one name and five keys: with checkIssued alone there are thousands of ways through them.
    const subject = 'CN=Circle,C=GB';
    const first = await issueCertificate({ subject, extensions: certificateAuthority() });
    const intermediates = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { certificate } = await issueCertificate({ subject, issuer: first, extensions: certificateAuthority() });
        return certificate;
      }),
    );
    const { certificate } = await issueCertificate({ issuer: first });
    const refuse = (): void =>
      expect(() =>
        verifyCertificateChain({
          certificate,
          intermediates: [...intermediates.slice(0, 9), first.certificate],
          trustAnchors: [root.certificate],
          now: testNow,
        }),
      ).toThrow(CertificateError);
    expect(await leastMilliseconds(1_000, refuse)).toBeLessThan(1_000);
  });
});

describe('names', () => {
  const type = fc.constantFrom('2.5.4.3', '2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.97', '1.2.3.4');
  const value = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/\p{Cs}/u.test(text) && text.normalize('NFKC').trim() !== '' && text.trim() === text);
  const name = fc.record({
    rdns: fc.array(fc.array(fc.record({ type, value }), { minLength: 1, maxLength: 2 }), {
      minLength: 1,
      maxLength: 5,
    }),
  });

  it('are what they were after being written and read (RFC 4514)', () => {
    fc.assert(
      fc.property(name, (parsed) => {
        expect(isSameDistinguishedName(parseDistinguishedName(formatDistinguishedName(parsed)), parsed)).toBe(true);
      }),
      { numRuns },
    );
  });

  it('no text brings the reader down, and separators in a value make no attribute', () => {
    const piece = fc.constantFrom(
      'CN=',
      'O=',
      ',',
      ';',
      '+',
      '=',
      '"',
      '\\',
      '#',
      '0c',
      '\\2c',
      ' ',
      'a',
      'OID.1.2=',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), value, (pieces, text) => {
        attempt(() => parseDistinguishedName(pieces.join('')), [DistinguishedNameError]);
        const tricky = { rdns: [[{ type: '2.5.4.3', value: `${text},CN=victim` }]] };
        const victim = { rdns: [[{ type: '2.5.4.3', value: text }], [{ type: '2.5.4.3', value: 'victim' }]] };
        const read = parseDistinguishedName(formatDistinguishedName(tricky));
        expect(read.rdns).toHaveLength(1);
        expect(isSameDistinguishedName(read, victim)).toBe(false);
      }),
      { numRuns },
    );
  });
});
