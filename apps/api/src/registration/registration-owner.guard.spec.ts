import { expect, it } from '@jest/globals';
import { RegistrationOwnerGuard } from './registration-owner.guard.js';

const failure = new Error('The write failed.');
const failing = async () => {
  throw failure;
};

it.each([
  ['with a secret is let in only once the hash of the secret is renewed', 'Basic Yzpz', { clientId: 'c' }],
  ['that asks for an unknown client is refused only once its token is revoked', 'Bearer t', undefined],
])('a caller %s', async (_title, authorization, client) => {
  const clients = { findClient: async () => client, isSecretOf: () => true, renewSecretHash: failing };
  const token = { clientId: 'c', grantType: 'client_credentials', certificateThumbprint: 'x' };
  const guard = new RegistrationOwnerGuard(
    { registration: { managementBasic: true } } as never,
    { verifyCertificateOwner: () => undefined } as never,
    clients as never,
    { find: async () => token } as never,
    { revokeToken: failing } as never,
    { now: () => new Date() } as never,
  );
  const raw = { rawHeaders: ['authorization', authorization] };
  const clientCertificate = { thumbprint: 'x' };
  const request = { params: { ClientId: 'c' }, headers: { authorization }, raw, clientCertificate };
  const context = { switchToHttp: () => ({ getRequest: () => request }) };
  await expect(guard.canActivate(context as never)).rejects.toBe(failure);
});
