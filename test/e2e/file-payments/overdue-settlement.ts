import { describe, expect, it } from '@jest/globals';
import { createOperatorApp } from '../../../apps/operator/src/create-operator-app.js';
import { PaymentOperations } from '../../../apps/operator/src/payment-operations.service.js';
import { expectEventually } from '../../support/expectations.js';
import { pendingFiles } from './pending-files.js';
import type { GetWorld } from './world.js';

const settled = 'AcceptedSettlementCompleted';

/** What an operator can do about payments whose settlement never arrived. */
export function describeOverdueSettlement(world: GetWorld): void {
  const { anOverdueFile, statesOf, detailsOf } = pendingFiles(world);

  describe('a settlement that is overdue', () => {
    it('can be resolved: an operator has the bank asked again, or records how a payment ended', async () => {
      const { sandbox } = world();
      const { path: payment, ids, filePaymentId } = await anOverdueFile(2);
      const operator = await createOperatorApp(sandbox.config);
      try {
        const payments = operator.get(PaymentOperations);
        const mandate = { actor: 'olivia', reason: 'the scheme said so' };
        const held = (await payments.findHeld()).find((file) => file.filePaymentId === filePaymentId);
        expect(held).toMatchObject({ status: 'InitiationCompleted', handedOver: 2, waiting: [], unsettled: ids });
        await expect(payments.reject(filePaymentId, mandate)).rejects.toThrow(/before its payments were handed/);
        await payments.conclude(ids[1] ?? '', 'Rejected', mandate);
        await expect(payments.conclude(ids[1] ?? '', settled, mandate)).rejects.toThrow(/no payment/);
        expect((await statesOf(payment)).map(([, status]) => status)).toEqual(['Pending', 'Rejected']);
        await payments.retry(filePaymentId, mandate);
        await expect(payments.retry(filePaymentId, mandate)).rejects.toThrow(/no payment order/);
      } finally {
        await operator.close();
      }
      // The bank is asked, and repeats its answer.
      await expectEventually(() => detailsOf(payment), 'PDNG,none');
      const { rows } = await sandbox.database.query(
        "SELECT action, actor, details->>'reason' AS reason FROM audit_events WHERE details->>'filePaymentId' = $1 ORDER BY occurred_at",
        [filePaymentId],
      );
      const [actor, reason] = ['olivia', 'the scheme said so'];
      expect(rows).toEqual([
        { action: 'payment.conclude', actor, reason },
        { action: 'payment-order.retry', actor, reason },
      ]);
    });
  });
}
