import { describe, expect, it } from '@jest/globals';
import { parseManagementCredentials } from './management-credentials.js';

const all = { managementBasic: true, schemelessBasic: true };
const basic = Buffer.from('client:secret').toString('base64');

describe('the credentials of registration management', () => {
  it.each(['Bearer t0ken', 'bearer t0ken', 'Bearer  t0ken'])('are a token in %j (RFC 6750 s2.1)', (authorization) => {
    expect(parseManagementCredentials(authorization, all)).toEqual({ scheme: 'bearer', token: 't0ken' });
  });

  it.each([`Basic ${basic}`, `basic ${basic}`, basic])('are id and secret in %j', (authorization) => {
    const credentials = { scheme: 'basic', clientId: 'client', clientSecret: 'secret' };
    expect(parseManagementCredentials(authorization, all)).toEqual(credentials);
  });

  it.each([
    [`Basic ${basic}`, { managementBasic: false, schemelessBasic: true }],
    [basic, { managementBasic: false, schemelessBasic: true }],
    [basic, { managementBasic: true, schemelessBasic: false }],
  ])('are absent from %j with the settings %j', (authorization, settings) => {
    expect(parseManagementCredentials(authorization, settings)).toBeUndefined();
  });

  it.each(['', 'Bearer', 'Bearer a b', 'Basic', 'Basic !', 'Digest x', 'x'.repeat(2_049)])(
    'are absent from %j',
    (authorization) => {
      expect(parseManagementCredentials(authorization, all)).toBeUndefined();
    },
  );
});
