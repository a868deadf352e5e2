import { aPaymentFile } from '../../support/a-payment-file.js';
import { expectEventually, until } from '../../support/expectations.js';
import { dataOf, type GetWorld } from './world.js';

const inAYear = (): string => new Date(Date.now() + 300 * 86_400_000).toISOString();

/** Files whose payments the bank has but has not ended, and the service's answers about them. */
export function pendingFiles(world: GetWorld) {
  /**
   * Payments whose scheme takes days, so that only a report can end them; the bank's clock holds back its own reports.
   */
  const aPendingFile = async (count = 1): Promise<{ path: string; ids: string[] }> => {
    const { tpp, sandbox } = world();
    const file = aPaymentFile({ payments: count, item: () => ({ RequestedExecutionDateTime: inAYear() }) });
    const id = String(dataOf(await tpp.pay(await tpp.authorise(file)))['FilePaymentId']);
    await until(async () => dataOf(await tpp.get(`/file-payments/${id}`))['Status'] !== 'InitiationPending');
    // The bank is not asked about them while the test looks.
    await sandbox.database.query(
      "UPDATE payments SET next_attempt_at = now() + interval '1 hour' WHERE payment_order_id = $1",
      [id],
    );
    return {
      path: `/file-payments/${id}`,
      ids: (await statesOf(`/file-payments/${id}`)).map(([paymentId]) => paymentId),
    };
  };
  const statesOf = async (payment: string): Promise<[string, string][]> => {
    const { PaymentStatus } = dataOf(await world().tpp.get(`${payment}/payment-details`));
    return (PaymentStatus as { PaymentTransactionId: string; Status: string }[]).map((state) => [
      state.PaymentTransactionId,
      state.Status,
    ]);
  };

  /** What the report file says about each payment besides its state. */
  const detailsOf = async (payment: string): Promise<string> => {
    const { DomesticPayments } = dataOf(await world().tpp.get(`${payment}/report-file`));
    return (DomesticPayments as { StatusDetail?: { Status: string } }[])
      .map(({ StatusDetail }) => StatusDetail?.Status ?? 'none')
      .join();
  };

  /** Payments that should have been settled by now, and about which the bank knows nothing new. */
  const anOverdueFile = async (count = 1) => {
    const { database } = world().sandbox;
    const pending = await aPendingFile(count);
    const filePaymentId = String(pending.path.split('/').at(-1));
    await database.query('UPDATE payment_orders SET settle_by = now() WHERE payment_order_id = $1', [filePaymentId]);
    await database.query('UPDATE payments SET next_attempt_at = now() WHERE payment_order_id = $1', [filePaymentId]);
    await expectEventually(() => detailsOf(pending.path), Array(count).fill('SettlementOverdue').join());
    return { ...pending, filePaymentId };
  };

  return { aPendingFile, anOverdueFile, statesOf, detailsOf };
}
