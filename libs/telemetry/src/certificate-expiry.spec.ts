import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Config } from '#libs/config';
import { issueCertificate } from '../../../apps/sandbox/src/trust/issue-certificate.js';
import { aCertificate } from '../../../test/support/certificates.js';
import { datedCertificates, toDated } from './certificate-expiry.js';
import { Telemetry } from './telemetry.js';

const authority = async (name: string): Promise<string> =>
  (await aCertificate({ profile: 'authority', name })).certificate;

describe('the certificates of the configuration', () => {
  it('are listed with their settings, those of further directories under their own', async () => {
    const names = [
      'own',
      'tpps',
      'ingress',
      'admin',
      'introspection',
      'bank',
      'webhook',
      'directory',
      'other',
      'anchor',
    ];
    const pems = new Map(await Promise.all(names.map(async (name) => [name, await authority(name)] as const)));
    const pem = (name: string): string => pems.get(name) ?? '';
    const first = { ca: pem('directory'), clientTrustAnchors: [pem('tpps')] };
    const config = {
      reads: () => true,
      tls: {
        certificate: pem('own'),
        clientTrustAnchors: [pem('tpps'), pem('anchor')],
        ingressTrustAnchors: [pem('ingress')],
      },
      admin: { trustAnchors: [pem('admin')] },
      introspection: { trustAnchors: [pem('introspection')] },
      bank: { clientCertificate: pem('own'), ca: pem('bank') },
      events: { webhook: { ca: pem('webhook') } },
      directory: { trusted: [first, first, { ca: pem('other'), clientTrustAnchors: [pem('anchor')] }] },
      signing: { keys: [] },
    } as unknown as Config;
    expect(datedCertificates(config).map(({ setting, name, isVital }) => [setting, name, isVital])).toEqual([
      ['TLS_CERTIFICATE', 'own', true],
      ['CLIENT_TRUST_ANCHORS', 'tpps', false],
      ['INGRESS_TRUST_ANCHORS', 'ingress', false],
      ['ADMIN_TRUST_ANCHORS', 'admin', false],
      ['INTROSPECTION_TRUST_ANCHORS', 'introspection', false],
      ['BANK_CLIENT_CERTIFICATE', 'own', true],
      ['BANK_CA', 'bank', false],
      ['EVENT_WEBHOOK_CA', 'webhook', false],
      ['DIRECTORY_CA', 'directory', false],
      ['FURTHER_DIRECTORIES', 'other', false],
      ['FURTHER_DIRECTORIES', 'anchor', false],
    ]);
  });

  it('are vital where a key signs with them: the first of each algorithm', async () => {
    const x5c = [new X509Certificate(await authority('signer')).raw.toString('base64')];
    const keys = [
      { kid: 'es-current', algorithm: 'ES256', publicJwk: { x5c } },
      { kid: 'ps-current', algorithm: 'PS256', publicJwk: { x5c } },
      { kid: 'ps-without-certificate', algorithm: 'PS256', publicJwk: {} },
      { kid: 'ps-retired', algorithm: 'PS256', publicJwk: { x5c } },
    ];
    const nothing = { clientTrustAnchors: [] };
    const config = {
      reads: () => true,
      tls: { certificate: '', clientTrustAnchors: [], ingressTrustAnchors: [] },
      admin: { trustAnchors: [] },
      bank: {},
      events: {},
      directory: { trusted: [nothing] },
      signing: { keys },
    } as unknown as Config;
    expect(datedCertificates(config).map(({ name, isVital }) => [name, isVital])).toEqual([
      ['es-current', true],
      ['ps-current', true],
      ['ps-retired', false],
    ]);
  });

  it('are those of settings that this process reads', async () => {
    const config = {
      reads: (setting: string) => setting === 'TLS_CERTIFICATE',
      tls: { certificate: await authority('own') },
    } as unknown as Config;
    expect(datedCertificates(config).map(({ setting }) => setting)).toEqual(['TLS_CERTIFICATE']);
  });

  it('are measured together with that of the database', async () => {
    const telemetry = new Telemetry({ reads: () => false, weakenings: [] } as unknown as Config);
    const { certificate } = await aCertificate({ profile: 'server', name: 'db-1.internal' });
    const pool = { inUse: 0, idle: 1, waiting: 0, limit: 1, outdatedServers: 0 };
    telemetry.watchPool('token', () => ({ ...pool, serverCertificate: new X509Certificate(certificate) }));
    telemetry.watchPool('api', () => pool);
    const { values } = (await telemetry.registry.getSingleMetric('open_banking_certificate_expiry_days')?.get()) ?? {};
    expect(values).toEqual([{ labels: { setting: 'DATABASE_URL', name: 'db-1.internal' }, value: expect.any(Number) }]);
    expect(values?.[0]?.value).toBeGreaterThan(0);
  });

  it('are named by their hosts where they have no subject', async () => {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const pem = await issueCertificate({ profile: 'server', subject: [], key, days: 30, now: new Date() });
    expect(toDated('DATABASE_URL', new X509Certificate(pem)).name).toMatch(/^DNS:/);
  });
});
