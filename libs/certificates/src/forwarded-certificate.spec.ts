import { beforeAll, describe, expect, it } from '@jest/globals';
import type { X509Certificate } from 'node:crypto';
import { issueCertificate } from '../test/issue-certificate.js';
import { parseForwardedCertificate, type ForwardedCertificateFormat } from './forwarded-certificate.js';

let certificate: X509Certificate;
let other: X509Certificate;

beforeAll(async () => {
  ({ certificate } = await issueCertificate());
  ({ certificate: other } = await issueCertificate({ subject: 'CN=other' }));
});

const byteSequence = (of: X509Certificate): string => `:${of.raw.toString('base64')}:`;
const escapedPem = (...of: X509Certificate[]): string => encodeURIComponent(of.map(String).join(''));

describe('parseForwardedCertificate', () => {
  it('reads Client-Cert and Client-Cert-Chain (RFC 9440 s2)', () => {
    const found = parseForwardedCertificate('client-cert', {
      'client-cert': byteSequence(certificate),
      'client-cert-chain': `${byteSequence(other)}, ${byteSequence(certificate)}`,
    });
    expect(found?.certificate.raw).toEqual(certificate.raw);
    expect(found?.intermediates.map((item) => item.raw)).toEqual([other.raw, certificate.raw]);
  });

  it('reads the escaped PEM of nginx', () => {
    const found = parseForwardedCertificate('nginx', { 'ssl-client-cert': escapedPem(certificate) });
    expect(found?.certificate.raw).toEqual(certificate.raw);
    expect(found?.intermediates).toEqual([]);
  });

  it('reads the last element of x-forwarded-client-cert, which the nearest proxy wrote', () => {
    const found = parseForwardedCertificate('envoy', {
      'x-forwarded-client-cert':
        `Hash=00;Cert="${escapedPem(other)}",` +
        `By=spiffe://x;Hash=11;Subject="CN=a,O=\\"b;c\\"";Cert="${escapedPem(certificate)}";Chain="${escapedPem(certificate, other)}"`,
    });
    expect(found?.certificate.raw).toEqual(certificate.raw);
    expect(found?.intermediates.map((item) => item.raw)).toEqual([other.raw]);
  });

  it('ignores headers of another form', () => {
    const headers = {
      'client-cert': byteSequence(certificate),
      'ssl-client-cert': escapedPem(certificate),
      'x-forwarded-client-cert': `Cert="${escapedPem(certificate)}"`,
    };
    for (const [format, name] of Object.entries({
      'client-cert': 'client-cert',
      nginx: 'ssl-client-cert',
      envoy: 'x-forwarded-client-cert',
    })) {
      expect(
        parseForwardedCertificate(format as ForwardedCertificateFormat, { ...headers, [name]: undefined }),
      ).toBeUndefined();
    }
  });

  it('treats garbage as no certificate and never throws', () => {
    const twice = `${byteSequence(certificate)}, ${byteSequence(certificate)}`;
    const trailing = `:${Buffer.concat([certificate.raw, Buffer.from('x')]).toString('base64')}:`;
    const garbage = [
      '',
      ' ',
      ':',
      '::',
      ':AAAA:',
      '%zz',
      '%00',
      'a'.repeat(40_000),
      '"',
      'Cert="',
      'Cert=""',
      'Cert',
      '=',
      ';;,,',
      '\u0000',
      twice,
      trailing,
      escapedPem(certificate, other),
      `Cert="${escapedPem(certificate)}";Cert="${escapedPem(other)}"`,
      `Cert="${escapedPem(certificate)}",`,
    ];
    for (const value of garbage) {
      for (const [format, name] of Object.entries({
        'client-cert': 'client-cert',
        nginx: 'ssl-client-cert',
        envoy: 'x-forwarded-client-cert',
      })) {
        expect(parseForwardedCertificate(format as ForwardedCertificateFormat, { [name]: value })).toBeUndefined();
      }
    }
  });

  it.each([
    [32_768, true],
    [32_769, false],
  ])('of %s characters is read: %s', (length, isRead) => {
    const last = `,Cert="${escapedPem(certificate)}"`;
    const value = `Hash=${'0'.repeat(length - 'Hash='.length - last.length)}${last}`;
    const found = parseForwardedCertificate('envoy', { 'x-forwarded-client-cert': value });
    expect([value.length, found !== undefined]).toEqual([length, isRead]);
  });

  it('treats a repeated header and a broken chain as no certificate', () => {
    expect(parseForwardedCertificate('client-cert', { 'client-cert': [byteSequence(certificate)] })).toBeUndefined();
    expect(
      parseForwardedCertificate('client-cert', {
        'client-cert': byteSequence(certificate),
        'client-cert-chain': ':AAAA:',
      }),
    ).toBeUndefined();
  });
});
