import { describe, expect, it } from '@jest/globals';
import { issueCertificate, type CertificateWish } from '../test/issue-certificate.js';
import { certificateThumbprint } from './certificate-thumbprint.js';
import { verifyCertificateBelongsToSoftware } from './verify-certificate-belongs-to-software.js';

const software = {
  orgId: '001580000103UAvAAM',
  softwareId: '4xTq9RbW2mKf7LpZ0sVd1h',
  organisationIdentifier: 'PSDGB-FCA-123456' as string | undefined,
};

async function belongs(
  subject: CertificateWish['subject'],
  difference: Partial<typeof software> = {},
): Promise<boolean> {
  const { certificate } = await issueCertificate({ subject });
  try {
    verifyCertificateBelongsToSoftware({ certificate, ...software, ...difference });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ name: 'CertificateError', reason: 'other-software' });
    return false;
  }
}

const identifier = (value: string): Record<string, { utf8String: string }[]> => ({
  '2.5.4.97': [{ utf8String: value }],
});
const website = (commonName: string, etsi: string): CertificateWish['subject'] => [
  { C: ['GB'] },
  { O: ['Example'] },
  identifier(etsi),
  { CN: [commonName] },
];

describe('verifyCertificateBelongsToSoftware', () => {
  it('matches the directory transport certificate by OU and CN', async () => {
    expect(await belongs('CN=4xTq9RbW2mKf7LpZ0sVd1h,OU=001580000103UAvAAM,O=OpenBanking,C=GB')).toBe(true);
    expect(await belongs('CN=4xTq9RbW2mKf7LpZ0sVd1H,OU=001580000103UAvAAM,O=OpenBanking,C=GB')).toBe(false);
    expect(await belongs('CN=4xTq9RbW2mKf7LpZ0sVd1h,OU=001580000103XXXAAM,O=OpenBanking,C=GB')).toBe(false);
    expect(await belongs('CN=4xTq9RbW2mKf7LpZ0sVd1h,C=GB')).toBe(false);
  });

  it('refuses a name with two common names', async () => {
    expect(await belongs('CN=4xTq9RbW2mKf7LpZ0sVd1h,CN=other,OU=001580000103UAvAAM,C=GB')).toBe(false);
  });

  it('matches OBWAC by the organisation identifier and the organisation in CN', async () => {
    expect(await belongs(website('001580000103UAvAAM', 'PSDGB-FCA-123456'))).toBe(true);
    expect(await belongs(website('001580000103UAvAAM', 'PSDGB-FCA-999999'))).toBe(false);
    expect(await belongs(website('001580000103XXXAAM', 'PSDGB-FCA-123456'))).toBe(false);
  });

  it('matches QWAC, whose CN is a domain, by the organisation identifier alone', async () => {
    expect(await belongs(website('tpp.example.com', 'PSDGB-FCA-123456'))).toBe(true);
    expect(await belongs(website('tpp.example.com', 'PSDGB-FCA-123457'))).toBe(false);
  });

  it('falls back to the organisation in CN if no identifier can be built', async () => {
    expect(await belongs(website('001580000103UAvAAM', 'PSDGB-X-1'), { organisationIdentifier: undefined })).toBe(true);
    expect(await belongs(website('tpp.example.com', 'PSDGB-X-1'), { organisationIdentifier: undefined })).toBe(false);
    expect(await belongs('CN=001580000103UAvAAM,C=GB', { organisationIdentifier: undefined })).toBe(false);
  });
});

describe('certificateThumbprint (RFC 8705 s3.1)', () => {
  it('is the base64url SHA-256 of the DER bytes', async () => {
    const { certificate } = await issueCertificate();
    const openssl = Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
    expect(certificateThumbprint(certificate)).toBe(openssl);
    expect(openssl).toHaveLength(43);
  });
});
