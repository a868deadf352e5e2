import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as x509 from '@peculiar/x509';
import {
  certificateAuthority,
  clientAuthentication,
  documentSigning,
  issueCertificate,
  testNow,
  type IssuedCertificate,
} from '../test/issue-certificate.js';
import type { CertificateFault } from './certificate.errors.js';
import { verifyCertificateChain, type CertificateChainCheck } from './verify-certificate-chain.js';

let root: IssuedCertificate;
let issuing: IssuedCertificate;
let client: IssuedCertificate;

beforeAll(async () => {
  root = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
  issuing = await issueCertificate({ subject: 'CN=Issuing,C=GB', issuer: root, extensions: certificateAuthority(0) });
  client = await issueCertificate({ issuer: issuing });
});

/** Valid by default; the test shows what differs. */
function aCheck(difference: Partial<CertificateChainCheck> = {}): CertificateChainCheck {
  return {
    certificate: client.certificate,
    intermediates: [issuing.certificate],
    trustAnchors: [root.certificate],
    now: testNow,
    ...difference,
  };
}

function reasonOf(check: CertificateChainCheck): CertificateFault | 'accepted' {
  try {
    verifyCertificateChain(check);
    return 'accepted';
  } catch (error) {
    return Reflect.get(error as Error, 'reason') as CertificateFault;
  }
}

const reasonOfClient = async (wish: Parameters<typeof issueCertificate>[0]): Promise<string> => {
  const issued = await issueCertificate({ issuer: issuing, ...wish });
  return reasonOf(aCheck({ certificate: issued.certificate }));
};

const usage = (flags: x509.KeyUsageFlags): x509.Extension[] => [new x509.KeyUsagesExtension(flags, true)];
const unknown = (isCritical: boolean): x509.Extension[] => [
  new x509.Extension('1.2.3.4.5', isCritical, Buffer.from('0500', 'hex')),
];

const qcType = (last: string): x509.Extension =>
  new x509.Extension(
    '1.3.6.1.5.5.7.1.3',
    false,
    Buffer.from(`30153013060604008e4601063009060704008e460106${last}`, 'hex'),
  );

describe('verifyCertificateChain (RFC 5280 s6)', () => {
  it('accepts a client certificate through an intermediate and one issued by the trust anchor itself', async () => {
    const direct = await issueCertificate({ issuer: root });
    expect(reasonOf(aCheck())).toBe('accepted');
    expect(reasonOf(aCheck({ certificate: direct.certificate, intermediates: [] }))).toBe('accepted');
  });

  it('accepts an intermediate as trust anchor', () => {
    expect(reasonOf(aCheck({ intermediates: [], trustAnchors: [issuing.certificate] }))).toBe('accepted');
  });

  it('ignores certificates that are not part of a path', async () => {
    const stranger = await issueCertificate({ subject: 'CN=Stranger', extensions: certificateAuthority() });
    expect(reasonOf(aCheck({ intermediates: [stranger.certificate, root.certificate, issuing.certificate] }))).toBe(
      'accepted',
    );
  });

  it('refuses a certificate of another authority, also one of the same name', async () => {
    const twin = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
    const foreign = await issueCertificate({ issuer: twin });
    const unknown = await issueCertificate({ subject: 'CN=Self' });
    expect(reasonOf(aCheck({ certificate: foreign.certificate, intermediates: [] }))).toBe('signature');
    expect(reasonOf(aCheck({ certificate: foreign.certificate, intermediates: [twin.certificate] }))).toBe('signature');
    expect(reasonOf(aCheck({ certificate: unknown.certificate }))).toBe('no-path');
    expect(reasonOf(aCheck({ trustAnchors: [] }))).toBe('no-path');
  });

  it('refuses a client certificate used as an authority (RFC 5280 s4.2.1.9)', async () => {
    const forged = await issueCertificate({ issuer: client, subject: 'CN=victim' });
    expect(
      reasonOf(aCheck({ certificate: forged.certificate, intermediates: [client.certificate, issuing.certificate] })),
    ).toBe('not-a-certificate-authority');
  });

  const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: Uint8Array.from([1, 0, 1]) };
  it.each([
    ['weak-algorithm', { ...rsa, modulusLength: 1_024 }],
    ['weak-algorithm', { ...rsa, modulusLength: 2_040 }],
    ['accepted', { ...rsa, modulusLength: 2_048 }],
    ['accepted', { name: 'ECDSA', namedCurve: 'P-521' }],
  ])('is %s with a key of %j', async (fault, key) => {
    expect(await reasonOfClient({ key })).toBe(fault);
  });

  it('enforces the path length of an authority', async () => {
    const below = await issueCertificate({ subject: 'CN=Below', issuer: issuing, extensions: certificateAuthority() });
    const leaf = await issueCertificate({ issuer: below });
    expect(
      reasonOf(aCheck({ certificate: leaf.certificate, intermediates: [below.certificate, issuing.certificate] })),
    ).toBe('path-length');
  });

  it('refuses a path of more than five certificates and a flood of intermediates', async () => {
    let issuer = root;
    const chain = [];
    for (const name of ['A', 'B', 'C', 'D']) {
      issuer = await issueCertificate({ subject: `CN=${name}`, issuer, extensions: certificateAuthority() });
      chain.push(issuer.certificate);
    }
    const leaf = await issueCertificate({ issuer });
    expect(reasonOf(aCheck({ certificate: leaf.certificate, intermediates: chain }))).toBe('path-length');
    expect(reasonOf(aCheck({ intermediates: Array.from({ length: 11 }, () => issuing.certificate) }))).toBe(
      'path-length',
    );
  });

  it('refuses certificates outside their period, to the second (RFC 5280 s4.1.2.5)', async () => {
    expect(reasonOf(aCheck({ now: new Date('2026-05-31T23:59:59Z') }))).toBe('not-yet-valid');
    expect(reasonOf(aCheck({ now: new Date('2027-06-01T00:00:00Z') }))).toBe('accepted');
    expect(reasonOf(aCheck({ now: new Date('2027-06-01T00:00:01Z') }))).toBe('expired');
  });

  it('refuses an expired authority', async () => {
    const past = { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') };
    const old = await issueCertificate({
      subject: 'CN=Old',
      issuer: root,
      extensions: certificateAuthority(),
      ...past,
    });
    const leaf = await issueCertificate({ issuer: old });
    expect(reasonOf(aCheck({ certificate: leaf.certificate, intermediates: [old.certificate] }))).toBe('expired');
  });

  it('requires the client authentication purpose if purposes are given (RFC 5280 s4.2.1.12)', async () => {
    expect(await reasonOfClient({ extensions: [] })).toBe('accepted');
    expect(await reasonOfClient({ extensions: [clientAuthentication()] })).toBe('accepted');
    expect(await reasonOfClient({ extensions: [documentSigning()] })).toBe('extended-key-usage');
    expect(await reasonOfClient({ extensions: [new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1'])] })).toBe(
      'extended-key-usage',
    );
  });

  it('requires a key that may sign (RFC 5280 s4.2.1.3)', async () => {
    expect(await reasonOfClient({ extensions: usage(x509.KeyUsageFlags.digitalSignature) })).toBe('accepted');
    expect(await reasonOfClient({ extensions: usage(x509.KeyUsageFlags.keyAgreement) })).toBe('key-usage');
  });

  it('refuses a critical extension that it does not understand (RFC 5280 s4.2)', async () => {
    expect(await reasonOfClient({ extensions: unknown(false) })).toBe('accepted');
    expect(await reasonOfClient({ extensions: unknown(true) })).toBe('critical-extension');
  });

  it('refuses a seal certificate without a purpose, and accepts one for web sites (ETSI EN 319 412-5)', async () => {
    expect(await reasonOfClient({ extensions: [qcType('03')] })).toBe('accepted');
    expect(await reasonOfClient({ extensions: [qcType('02')] })).toBe('extended-key-usage');
    expect(await reasonOfClient({ extensions: [qcType('01'), clientAuthentication()] })).toBe('extended-key-usage');
  });
});
