import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#libs/config';
import { ApproverNotifier } from './approver-notifier.js';
import { AuditSealing } from './audit-sealing.js';
import { BankCalls } from './bank-calls.js';
import { DeclineReporter } from './decline-reporter.js';
import { EventDelivery } from './event-delivery.js';
import { Housekeeping } from './housekeeping.js';
import { PaymentProcessor } from './payment-processor.js';
import { Reconciler } from './reconciler.js';
import { SettlementWatcher } from './settlement-watcher.js';

/** Pause of an idle processor, in milliseconds. */
const idleMilliseconds = 250;

/** Runs the processor and housekeeping until the process is asked to stop; the current step is then finished. */
@Injectable()
export class WorkLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('WorkLoop');
  readonly #stop = new AbortController();
  #loops: Promise<void>[] = [];

  constructor(
    private readonly processor: PaymentProcessor,
    private readonly settlement: SettlementWatcher,
    private readonly approvers: ApproverNotifier,
    private readonly declines: DeclineReporter,
    private readonly events: EventDelivery,
    private readonly housekeeping: Housekeeping,
    private readonly sealing: AuditSealing,
    private readonly reconciler: Reconciler,
    private readonly calls: BankCalls,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { seconds } = this.config.reconciliation;
    const { signal } = this.#stop;
    this.#loops = [
      this.#repeat(idleMilliseconds, async () => (await this.processor.startNext(signal)) && !this.calls.isAway),
      this.#repeat(idleMilliseconds, async () => (await this.settlement.watchNext()) > 0 && !this.calls.isAway),
      this.#repeat(idleMilliseconds, () => this.approvers.notifyNext()),
      this.#repeat(idleMilliseconds, () => this.declines.reportNext()),
      this.#repeat(this.config.audit.sealSeconds * 1_000, () => this.sealing.sealNext()),
      this.#repeat(this.config.housekeepingSeconds * 1_000, () => this.housekeeping.run(signal)),
      ...(seconds === 0 ? [] : [this.#repeat(seconds * 1_000, () => this.reconciler.reconcileNext())]),
      ...(this.events.isOn ? [this.#repeat(idleMilliseconds, () => this.events.deliverNext())] : []),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
    await this.processor.finish();
  }

  /** @param step returns whether there may be more to do at once */
  async #repeat(idle: number, step: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let isBusy = false;
      try {
        isBusy = await step();
      } catch (error) {
        // Most likely the database is unavailable; the next round tries again.
        this.#logger.error({ message: 'A step of the worker failed.', error });
      }
      if (!isBusy) await pause(idle, undefined, { signal }).catch(() => undefined);
    }
  }
}
