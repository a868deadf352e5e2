import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { JsonName } from '@peculiar/x509';
import { issueCertificate } from '../trust/issue-certificate.js';
import { describeCertificate } from './explain-certificate.js';

it.each<[JsonName, string]>([
  [[], 'no name'],
  [[{ C: ['GB'] }, { CN: ['software'] }], 'CN=software, C=GB'],
])('describes a certificate by its subject %j', async (subject, described) => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pem = await issueCertificate({ profile: 'transport', subject, key, days: 30, now: new Date() });
  expect(describeCertificate(new X509Certificate(pem))).toBe(described);
});
