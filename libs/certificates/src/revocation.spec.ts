import 'reflect-metadata';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DistributionPoint, DistributionPointName, GeneralName, Reason } from '@peculiar/asn1-x509';
import * as x509 from '@peculiar/x509';
import {
  certificateAuthority,
  clientAuthentication,
  documentSigning,
  issueCertificate,
  testNow,
  type IssuedCertificate,
} from '../test/issue-certificate.js';
import { issueOcspResponse, issueRevocationList } from '../test/issue-revocation.js';
import { verifyOcspResponse } from './ocsp.js';
import { revocationAddressesOf } from './revocation-addresses.js';
import { parseRevocationList } from './revocation-list.js';

let root: IssuedCertificate;
let client: IssuedCertificate;

beforeAll(async () => {
  root = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
  client = await issueCertificate({ issuer: root });
});

const list = (der: Buffer): ReturnType<typeof parseRevocationList> =>
  parseRevocationList({ der, issuer: root.certificate, now: testNow });

const responder = (extension: x509.Extension, issuer?: IssuedCertificate): Promise<IssuedCertificate> =>
  issueCertificate({ subject: 'CN=Responder', extensions: [extension], ...(issuer && { issuer }) });
const ocspSigning = (): x509.Extension => new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.9']);
const verifyFrom = (signer: IssuedCertificate): boolean => {
  const of = { certificate: client.certificate, issuer: root.certificate };
  return verifyOcspResponse({ ...of, der: issueOcspResponse({ ...of, signer }), now: testNow }).isRevoked;
};

const usage = (flags: x509.KeyUsageFlags): x509.Extension => new x509.KeyUsagesExtension(flags, true);
const parseListOf = async (...extensions: x509.Extension[]): Promise<unknown> => {
  const issuer = await issueCertificate({ subject: 'CN=Root,C=GB', extensions });
  const der = await issueRevocationList({ issuer });
  return parseRevocationList({ der, issuer: issuer.certificate, now: testNow });
};

describe('parseRevocationList (RFC 5280 s5)', () => {
  it('revokes only its members', async () => {
    const serialNumber = client.certificate.serialNumber.toLowerCase();
    expect(list(await issueRevocationList({ issuer: root })).isRevoked(client.certificate)).toBe(false);
    const der = await issueRevocationList({ issuer: root, serialNumbers: ['40ff', serialNumber] });
    expect(list(der).isRevoked(client.certificate)).toBe(true);
  });

  it.each([
    ['deltaCRLIndicator', '2.5.29.27', '020101'],
    ['issuingDistributionPoint', '2.5.29.28', '3000'],
    ['anything critical', '1.2.3.4', '0500'],
  ])('refuses a list with %s: it is not about all certificates', async (_what, oid, value) => {
    const extensions = [new x509.Extension(oid, true, Buffer.from(value, 'hex'))];
    const der = await issueRevocationList({ issuer: root, extensions });
    expect(() => list(der)).toThrow(expect.objectContaining({ reason: 'critical-extension' }));
  });

  it('refuses the list of an authority whose key may not sign lists (s6.3.3 (f))', async () => {
    await expect(parseListOf(usage(x509.KeyUsageFlags.keyCertSign))).rejects.toMatchObject({ reason: 'signature' });
    await expect(parseListOf(usage(x509.KeyUsageFlags.cRLSign))).resolves.toBeDefined();
    // Without the extension a key may do everything.
    await expect(parseListOf()).resolves.toBeDefined();
  });

  it('refuses a list of another authority, a changed one, an old one, and what is not a list', async () => {
    const other = await issueCertificate({ subject: 'CN=Other', extensions: certificateAuthority() });
    const namesake = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
    const der = await issueRevocationList({ issuer: root });
    const cases: [Buffer, string][] = [
      [await issueRevocationList({ issuer: other }), 'other-issuer'],
      [await issueRevocationList({ issuer: namesake }), 'signature'],
      [await issueRevocationList({ issuer: root, thisUpdate: new Date(testNow.getTime() - 86_400_000) }), 'expired'],
      [await issueRevocationList({ issuer: root, thisUpdate: new Date(testNow.getTime() + 120_000) }), 'not-yet-valid'],
      [der.subarray(0, -1), 'malformed'],
      [Buffer.alloc(0), 'malformed'],
      [Buffer.from('<html>'), 'malformed'],
    ];
    for (const [bytes, reason] of cases) {
      expect(() => list(bytes)).toThrow(expect.objectContaining({ name: 'RevocationError', reason }));
    }
  });
});

describe('verifyOcspResponse (RFC 6960 s3.2)', () => {
  it('believes the authority and a responder that it has certified for this', async () => {
    expect(verifyFrom(root)).toBe(false);
    expect(verifyFrom(await responder(ocspSigning(), root))).toBe(false);
  });

  it('believes no other certificate of the authority, and no responder of another', async () => {
    const other = await issueCertificate({ subject: 'CN=Root,C=GB', extensions: certificateAuthority() });
    for (const signer of [
      await responder(clientAuthentication(), root),
      await responder(documentSigning(), root),
      await responder(ocspSigning(), other),
      await responder(ocspSigning()),
    ]) {
      expect(() => verifyFrom(signer)).toThrow(expect.objectContaining({ reason: 'signature' }));
    }
  });
});

const pointTo = (address: string): DistributionPointName =>
  new DistributionPointName({ fullName: [new GeneralName({ uniformResourceIdentifier: address })] });

describe('revocationAddressesOf (RFC 5280 s4.2.1.13, s4.2.2.1)', () => {
  it('reads http and https addresses only', async () => {
    const { certificate } = await issueCertificate({
      issuer: root,
      extensions: [
        new x509.CRLDistributionPointsExtension(['http://a.test/a.crl', 'ldap://a.test/', 'file:///etc/passwd']),
        new x509.AuthorityInfoAccessExtension({ ocsp: ['https://a.test/ocsp'], caIssuers: ['http://a.test/ca'] }),
      ],
    });
    expect(revocationAddressesOf(certificate)).toEqual({
      lists: ['http://a.test/a.crl'],
      responders: ['https://a.test/ocsp'],
    });
    expect(revocationAddressesOf(client.certificate)).toEqual({ lists: [], responders: [] });
  });

  it.each([
    ['for some reasons', { reasons: new Reason() }],
    ['of another issuer', { cRLIssuer: [new GeneralName({ dNSName: 'other' })] }],
  ])('reads no list %s: it does not cover all revocations', async (_what, limit) => {
    const points = [
      new DistributionPoint({ distributionPoint: pointTo('http://a.test/some.crl'), ...limit }),
      new DistributionPoint({ distributionPoint: pointTo('http://a.test/all.crl') }),
    ];
    const { certificate } = await issueCertificate({
      issuer: root,
      extensions: [new x509.CRLDistributionPointsExtension(points)],
    });
    expect(revocationAddressesOf(certificate).lists).toEqual(['http://a.test/all.crl']);
  });
});
