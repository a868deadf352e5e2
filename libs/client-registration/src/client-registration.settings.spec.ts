import { describe, expect, it } from '@jest/globals';
import { loadConfig, only } from '#libs/config';
import { registrationSettings } from './client-registration.settings.js';

const standard = {
  managementBasic: true,
  schemelessBasic: true,
  unknownScope: 'refuse',
  rfc7591Errors: true,
  acceptHostIssuer: false,
  issueSecret: 'always',
  unsupportedMediaTypeStatus: 415,
  hideOtherClients: false,
  requireListedCertificate: false,
};
const names = Object.keys(standard) as (keyof typeof standard)[];
const choicesOf = async (REGISTRATION: string): Promise<object> =>
  (await loadConfig({ REGISTRATION }, only(registrationSettings, ...names))).registration;

describe('REGISTRATION', () => {
  it.each<[string, object]>([
    ['standard', {}],
    ['lenient', { acceptHostIssuer: true, unknownScope: 'drop' }],
    ['lenient, token-only', { acceptHostIssuer: true, unknownScope: 'drop', managementBasic: false }],
    ['standard,token-only', { managementBasic: false }],
    ['standard,basic-only-with-scheme', { schemelessBasic: false }],
    ['standard,drop-unknown-scopes', { unknownScope: 'drop' }],
    ['standard,plain-errors', { rfc7591Errors: false }],
    ['standard,host-issuer', { acceptHostIssuer: true }],
    ['standard,secret-when-needed', { issueSecret: 'when_needed' }],
    ['standard,media-type-400', { unsupportedMediaTypeStatus: 400 }],
    ['standard,hide-other-clients', { hideOtherClients: true }],
    ['standard,listed-certificate', { requireListedCertificate: true }],
  ])('%s differs from standard by %j', async (value, difference) => {
    expect(await choicesOf(value)).toMatchObject({ ...standard, ...difference });
  });

  it.each(['strict', 'token-only', 'standard,unknown', 'standard,', 'standard,toString'])(
    'is not %s',
    async (value) => {
      await expect(choicesOf(value)).rejects.toThrow(/REGISTRATION/);
    },
  );
});
