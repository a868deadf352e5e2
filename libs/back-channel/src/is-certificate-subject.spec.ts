import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { aCertificate } from '../../../test/support/certificates.js';
import { isCertificateSubject } from './is-certificate-subject.js';

describe('the subject of a certificate (RFC 8705 s2.1.2)', () => {
  it('is compared again with every other name: the client may have changed its registration during a connection', async () => {
    const certificate = await aCertificateOf('app.tpp.example');
    const own = 'CN=app.tpp.example,O=Test,C=GB';
    const names = [own, 'CN=other.tpp.example,O=Test,C=GB', 'no name at all', own, own];
    expect(names.map((name) => isCertificateSubject(certificate, name))).toEqual([true, false, false, true, true]);
  });

  it('is compared again for every other certificate', async () => {
    const one = await aCertificateOf('one.tpp.example');
    const other = await aCertificateOf('other.tpp.example');
    const name = 'CN=one.tpp.example,O=Test,C=GB';
    expect([one, other, one].map((each) => isCertificateSubject(each, name))).toEqual([true, false, true]);
  });
});

async function aCertificateOf(name: string): Promise<X509Certificate> {
  const { certificate } = await aCertificate({ profile: 'transport', name });
  return new X509Certificate(certificate);
}
