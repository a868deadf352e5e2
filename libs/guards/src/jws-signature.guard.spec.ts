import { expect, it } from '@jest/globals';
import { Reflector } from '@nestjs/core';
import { aFastifyRequest, contextOf } from '../../../test/support/a-fastify-request.js';
import { JwsSignatureGuard } from './jws-signature.guard.js';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

it('answers 503 with Retry-After while the directory does not give the keys of a client', async () => {
  const now = new Date('2026-11-27T06:00:00Z');
  const header = {
    alg: 'PS256',
    kid: 'k',
    b64: false,
    'http://openbanking.org.uk/iat': now.getTime() / 1_000,
    'http://openbanking.org.uk/iss': 'org/software',
    'http://openbanking.org.uk/tan': 'tan',
    crit: ['b64', 'http://openbanking.org.uk/iat', 'http://openbanking.org.uk/iss', 'http://openbanking.org.uk/tan'],
  };
  const request = aFastifyRequest({
    headers: { 'x-jws-signature': `${encode(header)}..${Buffer.alloc(256).toString('base64url')}` },
    body: '{}',
  });
  Object.assign(request, {
    routeOptions: {},
    accessToken: { orgId: 'org', softwareId: 'software', signingAlgorithms: ['PS256'] },
  });
  const context = { ...contextOf(request), getClass: () => JwsSignatureGuard };
  const signing = { trustAnchor: 'tan', requestVerification: 'enforce', maxAgeSeconds: new Map() };
  const keys = { findClientKeys: () => Promise.reject(new Error('the directory is silent')) };
  const parts = [keys, { signing }, { now: () => now }, new Reflector()];
  const guard = new JwsSignatureGuard(...(parts as unknown as ConstructorParameters<typeof JwsSignatureGuard>));
  await expect(guard.canActivate(context as never)).rejects.toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
  });
});
