import { expect, it } from '@jest/globals';
import { RegistrationOwnerGuard } from './registration-owner.guard.js';

it('a caller with a secret is let in only once the hash of the secret is renewed', async () => {
  const failure = new Error('The write failed.');
  const clients = {
    findClient: async () => ({ clientId: 'c' }),
    isSecretOf: () => true,
    renewSecretHash: async () => {
      throw failure;
    },
  };
  const guard = new RegistrationOwnerGuard(
    { registration: { managementBasic: true } } as never,
    { verifyCertificateOwner: () => undefined } as never,
    clients as never,
    {} as never,
    {} as never,
    {} as never,
  );
  const authorization = `Basic ${Buffer.from('c:secret').toString('base64')}`;
  const raw = { rawHeaders: ['authorization', authorization] };
  const request = { params: { ClientId: 'c' }, headers: { authorization }, raw, clientCertificate: {} };
  const context = { switchToHttp: () => ({ getRequest: () => request }) };
  await expect(guard.canActivate(context as never)).rejects.toBe(failure);
});
