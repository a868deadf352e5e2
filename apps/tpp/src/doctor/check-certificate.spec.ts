import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { issueCertificate } from '../../../sandbox/src/trust/issue-certificate.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { checkCertificate } from './check-certificate.js';

it('says that a certificate names nobody (undefined before Node 26, then empty)', async () => {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const now = new Date();
  const transportCertificate = await issueCertificate({ profile: 'transport', subject: [], key, days: 30, now });
  const transportKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const credentials = { transportCertificate, transportKey, orgId: 'org', softwareId: 'software' } as TppCredentials;
  for (const clientCa of [transportCertificate, '']) {
    const results = checkCertificate({ credentials, clientCa, now });
    expect(results.find(({ check }) => check === 'certificate.names')).toMatchObject({ got: 'no name' });
  }
});
