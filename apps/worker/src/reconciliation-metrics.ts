import { countOpenDifferencesSql, differenceKinds } from '#libs/payment-order';
import type { Database } from '#libs/persistence';
import { metricsOf, type Telemetry } from '#libs/telemetry';

/**
 * The outcome of a comparison:
 * - equal: our books and the bank's say the same
 * - unasked: our own books agree, and there is nothing yet that the bank could have
 * - unshown: our own books agree, and the bank does not show what it has (404)
 * - unread: the bank's book could not be read
 * - different: the books differ
 */
export type ReconciliationOutcome = 'equal' | 'different' | 'unasked' | 'unshown' | 'unread';

/** How many payment orders were compared, and what differs. */
export class ReconciliationMetrics {
  readonly #compared = new Map([
    ['equal', 0],
    ['different', 0],
    ['unasked', 0],
    ['unshown', 0],
    ['unread', 0],
  ]);

  constructor({ registry }: Telemetry, database: Database) {
    const { gauge, counter } = metricsOf(registry);
    counter(
      'open_banking_reconciled_payment_orders_total',
      'Comparisons of a payment order with what was sent and with what the bank has.',
      ['outcome'],
      (add) => {
        for (const [outcome, count] of this.#compared) add({ outcome }, count);
      },
    );
    gauge(
      'open_banking_payment_differences',
      'Unacknowledged differences between payment orders, what was sent and what the bank has.',
      ['kind'],
      async (set) => {
        const { rows } = await database.query<{ kind: string; count: number }>(
          'count-open-differences',
          countOpenDifferencesSql,
          [],
        );
        const counts = new Map(rows.map(({ kind, count }) => [kind, count]));
        for (const kind of differenceKinds) set({ kind }, counts.get(kind) ?? 0);
      },
    );
  }

  note(counts: Readonly<Record<ReconciliationOutcome, number>>): void {
    for (const [outcome, count] of Object.entries(counts)) {
      this.#compared.set(outcome, (this.#compared.get(outcome) ?? 0) + count);
    }
  }
}
