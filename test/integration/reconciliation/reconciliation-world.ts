import { afterEach, beforeEach, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import type { FileAtBank } from '#libs/bank';
import { findOpenDifferences, ReconciliationQueue } from '#libs/payment-order';
import type { Telemetry } from '#libs/telemetry';
import { Reconciler } from '../../support/apps/worker.js';
import {
  aFilePayment,
  clock,
  config,
  database,
  drain,
  many,
  processor,
  run,
  scheme,
  usePaymentProcessor,
} from '../payment-processor/payment-processor-world.js';
import { runUnguarded } from '../../support/unguarded.js';

const minute = 60_000;
export let registry: Registry;
export let reconciler: Reconciler;
export let queue: ReconciliationQueue;
/** file payments whose book was requested from the bank */
export let asked: string[];
/** file payments of which the log says that somebody must investigate */
export let told: unknown[];

export const aReconciler = (measured = new Registry()): Reconciler =>
  new Reconciler(queue, scheme, database, clock, { registry: measured } as unknown as Telemetry);

/** The book of a bank that has every payment that it received. */
export const honestBook = (filePaymentId: string): FileAtBank => {
  const payments = scheme.instructions
    .filter((payment) => payment.filePaymentId === filePaymentId)
    .map((payment) => ({ ...payment, status: scheme.settled()?.status ?? scheme.outcomeOf(payment).status }));
  return { decision: 'Accepted', payments };
};

/** The processor's world, with a bank that shows its book, and a reconciler. */
export function useReconciliation(): void {
  usePaymentProcessor();
  beforeEach(() => {
    registry = new Registry();
    queue = new ReconciliationQueue(database, config, clock);
    reconciler = aReconciler(registry);
    asked = [];
    told = [];
    jest.spyOn(Logger.prototype, 'error').mockImplementation((entry: { message?: string; filePaymentId?: string }) => {
      if (entry.message?.includes('somebody must investigate')) told.push(entry.filePaymentId);
    });
    scheme.book = (filePaymentId) => {
      asked.push(filePaymentId);
      return honestBook(filePaymentId);
    };
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
}

/** Lets minutes pass, and compares what is due. */
export const reconcileAfter = async (minutes: number): Promise<void> => {
  clock.time += minutes * minute;
  while (await reconciler.reconcileNext());
};

export const aCompletedFile = async (items = many(2)): Promise<string> => {
  const id = await aFilePayment(items);
  await drain(processor);
  return id;
};

/** File payment and kind of what is open. */
export const open = async () =>
  (await findOpenDifferences(database)).flatMap(({ filePaymentId, differences }) =>
    differences.map(({ kind }) => [filePaymentId, kind]),
  );

export const consentOf = async (filePaymentId: string): Promise<string> => {
  const [row] = await run('SELECT consent_id FROM payment_orders WHERE payment_order_id = $1', [filePaymentId]);
  return String(row?.['consent_id']);
};

export const eventsOf = (resourceId: string) =>
  run(`SELECT event_type, status FROM domain_events WHERE resource_id = $1 AND event_type LIKE '%.difference'`, [
    resourceId,
  ]);

/** A change by a program without the guards, or from a console. */
export const stage = (sql: string, parameters: readonly unknown[] = []) => runUnguarded(database.pool, sql, parameters);
