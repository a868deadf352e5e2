import { X509Certificate, type KeyObject } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifyCertificateBelongsToSoftware, verifyCertificateChain } from '#libs/certificates';
import { isCurrentCertificate } from './ensure-certificate.js';
import { issueCertificate, type Issuer } from './issue-certificate.js';
import { createDirectoryJwk } from './json-web-keys.js';
import { createPrivateKeyOfType } from './key-pair.js';

const now = new Date('2026-11-21T09:00:00Z');
const orgId = '0015800000abcdefGH';
const subject: Record<string, string[]>[] = [
  { C: ['GB'] },
  { O: ['TPP One'] },
  { '2.5.4.97': ['PSDGB-FCA-123456'] },
  { CN: [orgId] },
];

describe('certificates of the sandbox authority', () => {
  let authority: Issuer;
  let key: KeyObject;

  beforeAll(async () => {
    const privateKey = await createPrivateKeyOfType('rsa');
    const name: Record<string, string[]>[] = [{ C: ['GB'] }, { CN: ['Test Root CA'] }];
    authority = {
      privateKey,
      certificate: await issueCertificate({ profile: 'authority', subject: name, key: privateKey, days: 3_650, now }),
    };
    key = await createPrivateKeyOfType('rsa');
  });

  const issue = (profile: 'transport' | 'signing' | 'server', of = key): Promise<string> =>
    issueCertificate({ profile, subject, key: of, issuer: authority, days: 397, now });

  const verify = (pem: string): readonly X509Certificate[] =>
    verifyCertificateChain({
      certificate: new X509Certificate(pem),
      intermediates: [],
      trustAnchors: [new X509Certificate(authority.certificate)],
      now,
    });

  it('let a TPP in over TLS as the organisation of its software statement (OBWAC)', async () => {
    const pem = await issue('transport');
    expect(() => verify(pem)).not.toThrow();
    const certificate = new X509Certificate(pem);
    const owner = { certificate, softwareId: '4xTq9RbW2mKf7LpZ0sVd1h', organisationIdentifier: 'PSDGB-FCA-123456' };
    expect(() => verifyCertificateBelongsToSoftware({ ...owner, orgId })).not.toThrow();
    expect(() => verifyCertificateBelongsToSoftware({ ...owner, orgId: 'AnotherOrgId123456' })).toThrow();
  });

  it.each(['signing', 'server'] as const)('do not let a %s certificate in over TLS as a client', async (profile) => {
    const pem = await issue(profile);
    expect(() => verify(pem)).toThrow();
  });

  it('name the addresses of the sandbox servers', async () => {
    const certificate = new X509Certificate(await issue('server'));
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.subjectAltName).toContain('0:0:0:0:0:0:0:1');
  });

  it('are published for EC keys too, under a key id of 27 characters', async () => {
    const ecKey = await createPrivateKeyOfType('ec');
    const jwk = createDirectoryJwk({ key: ecKey, use: 'sig', certificate: await issue('signing', ecKey) });
    expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', use: 'sig' });
    expect(jwk.kid).toMatch(/^[\w-]{27}$/);
    expect(jwk).not.toHaveProperty('d');
  });

  it('are renewed a month before they expire, and if key or authority has changed', async () => {
    const pem = await issue('transport');
    const current = { pem, key, authority: authority.certificate, now };
    expect(isCurrentCertificate(current)).toBe(true);
    expect(isCurrentCertificate({ ...current, now: new Date('2027-11-30T09:00:00Z') })).toBe(false);
    expect(isCurrentCertificate({ ...current, now: new Date('2036-11-21T09:00:00Z') })).toBe(false);
    expect(isCurrentCertificate({ ...current, key: await createPrivateKeyOfType('rsa') })).toBe(false);
    expect(isCurrentCertificate({ ...current, authority: pem })).toBe(false);
  });
});
