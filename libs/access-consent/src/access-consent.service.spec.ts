import { describe, expect, it } from '@jest/globals';
import { AccessConsentService } from './access-consent.service.js';

const failure = new Error('The write failed.');
const kind = { name: 'account-access' } as never;

/** A service whose database fails at this statement alone. */
const failingAt = (failing: string): AccessConsentService =>
  new AccessConsentService(
    {
      applicationName: 'worker',
      query: async (name: string) => {
        if (name === failing) throw failure;
        return { rows: [{ client_id: 'c' }], rowCount: 0 };
      },
    } as never,
    { consent: { expirySeconds: 60 } } as never,
    { now: () => new Date(), ofDatabase: () => 'now' } as never,
  );

describe('a call fails with its write of access consents', () => {
  it.each<[string, (service: AccessConsentService) => Promise<unknown>]>([
    [
      'stage-access-consent',
      (service) => service.create({ kind, clientId: 'c', apiVersion: '4.0', terms: {} as never }),
    ],
    ['expire-access-consents', (service) => service.expire(1)],
    ['find-access-end', (service) => service.endOfRemoved(1)],
    ['end-access-of-client', (service) => service.endOfRemoved(1)],
    ['finish-access-end', (service) => service.endOfRemoved(1)],
  ])('%s', async (statement, act) => {
    await expect(act(failingAt(statement))).rejects.toBe(failure);
  });

  it('ends a removed client’s other things before its consents', async () => {
    const service = failingAt('end-access-of-client');
    await expect(service.endOfRemoved(1, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await service.endOfRemoved(1, async () => 2)).toEqual({ ended: 2, isMore: true });
  });
});
