import { describe, expect, it } from '@jest/globals';
import { filePaymentKind } from '#libs/consent';
import { filePaymentWire40 } from '../../support/apps/wires.js';
import { clock, drain, processor, scheme, stateOf } from '../payment-processor/payment-processor-world.js';
import { approve, consents, pay, stageFile, statusOf, useOrders } from './orders-world.js';

useOrders();

// READ_WRITE_VERSIONS=4.0 after 3.1 was served: the addresses of 3.1 are gone (test/e2e/file-payments/settings.e2e-spec.ts).
describe('a version that is no longer served', () => {
  it('lets its customers approve what waits, but none of it is paid: the consent expires', async () => {
    const consentId = await stageFile('3.1');
    await approve(consentId);
    await expect(pay(filePaymentKind, consentId, '4.0')).rejects.toMatchObject({ code: 'ConsentOfAnotherVersion' });
    expect(await statusOf(consentId)).toBe('Authorised');
    clock.time += 86_401_000;
    await drain(processor);
    expect(scheme.handedOver).toEqual([]);
    expect(await consents.rejectExpired(100)).toBeGreaterThan(0);
    expect(await statusOf(consentId)).toBe('Rejected');
  });

  it('lets file payments that were made in it finish, and the newer version shows them', async () => {
    const consentId = await stageFile('3.1');
    await approve(consentId);
    const { payment, apiVersion } = await pay(filePaymentKind, consentId, '3.1');
    expect(filePaymentWire40.shown).toContain(apiVersion);
    await drain(processor);
    expect(await stateOf(payment.filePaymentId)).toMatchObject({ status: 'InitiationCompleted' });
  });
});
