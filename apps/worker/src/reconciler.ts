import { Injectable, Logger } from '@nestjs/common';
import { askForFile, BankUnavailableError, PaymentScheme } from '#libs/bank';
import { Clock } from '#libs/config';
import {
  type BankBookAnswer,
  compareBooks,
  type Comparison,
  ReconciliationQueue,
  summarise,
} from '#libs/payment-order';
import { Database } from '#libs/persistence';
import { Telemetry } from '#libs/telemetry';
import { ReconciliationMetrics, type ReconciliationOutcome } from './reconciliation-metrics.js';

/** File payments compared by one step. */
const batchSize = 20;

/** Compares file payments with their files and with the bank's own book, and says what differs. */
@Injectable()
export class Reconciler {
  readonly #metrics: ReconciliationMetrics;
  readonly #logger = new Logger('Reconciler');
  /** undefined: the bank has not answered yet */
  #isOffered: boolean | undefined;

  constructor(
    private readonly queue: ReconciliationQueue,
    private readonly scheme: PaymentScheme,
    private readonly database: Database,
    private readonly clock: Clock,
    telemetry: Telemetry,
  ) {
    this.#metrics = new ReconciliationMetrics(telemetry, database);
  }

  /**
   * Compares the file payments that are due.
   * @returns whether there may be more
   */
  async reconcileNext(): Promise<boolean> {
    const { consentIds, leaseEnd } = await this.queue.take(batchSize);
    const comparisons = await compareBooks(consentIds, {
      runner: this.database,
      askBank: (filePaymentId) => this.#askBank(filePaymentId),
      clock: this.clock,
    });
    const equal = comparisons.filter(({ differences }) => differences.length === 0);
    await this.queue.postpone(equal.filter(isUnread), leaseEnd);
    await this.#noteEqual(
      equal.filter((each) => !isUnread(each)),
      leaseEnd,
    );
    for (const each of comparisons) if (each.differences.length > 0) await this.#noteDifferent(each, leaseEnd);
    this.#metrics.note(countOutcomes(comparisons));
    // If the bank is unavailable, do not ask about the rest of the list.
    return consentIds.length === batchSize && !comparisons.every(isUnread);
  }

  async #askBank(filePaymentId: string): Promise<BankBookAnswer> {
    const answer = await askForFile(this.scheme, filePaymentId, (error) => {
      const level = error instanceof BankUnavailableError ? 'warn' : 'error';
      this.#logger[level]({ message: "The bank's book cannot be read.", filePaymentId, error });
    });
    if (answer === 'NotOffered') return this.#explainNotOffered(filePaymentId);
    if (answer !== 'Away' && answer !== 'Unreadable') this.#isOffered = true;
    return answer;
  }

  /** A bank that has shown its book before still has one: this 404 must come from an intermediary. */
  #explainNotOffered(filePaymentId: string): BankBookAnswer {
    if (this.#isOffered === true) {
      this.#logger.error({
        filePaymentId,
        message: 'The bank now answers 404 to the request for its book, which it answered before.',
      });
      return 'Unreadable';
    }
    if (this.#isOffered === undefined) {
      this.#logger.warn("The bank does not offer its book (404): only the service's own records are compared.");
    }
    this.#isOffered = false;
    return 'NotOffered';
  }

  async #noteEqual(equal: readonly Comparison[], leaseEnd: Date): Promise<void> {
    const consentIds = await this.queue.noteEqual(equal, leaseEnd);
    if (consentIds.length > 0) this.#logger.warn({ message: 'Differences have been resolved.', consentIds });
  }

  async #noteDifferent(comparison: Comparison, leaseEnd: Date): Promise<void> {
    const { own, differences, bank } = comparison;
    const isNews = await this.queue.noteDifferent(comparison, leaseEnd);
    if (comparison.isAcknowledged) return;
    this.#logger.error({
      message: "A payment order differs from what was sent or from the bank's book: somebody must investigate.",
      filePaymentId: own.filePayment?.filePaymentId,
      consentId: own.consentId,
      differences: summarise(differences),
      bank,
      isNews,
    });
  }
}

function countOutcomes(comparisons: readonly Comparison[]): Record<ReconciliationOutcome, number> {
  const counts = { equal: 0, different: 0, unasked: 0, unshown: 0, unread: 0 };
  for (const comparison of comparisons) counts[outcomeOf(comparison)] += 1;
  return counts;
}

function outcomeOf(comparison: Comparison): ReconciliationOutcome {
  if (isUnread(comparison)) return 'unread';
  if (comparison.differences.length > 0) return 'different';
  if (comparison.bank === 'NotAsked') return 'unasked';
  return comparison.bank === 'NotOffered' ? 'unshown' : 'equal';
}

function isUnread({ bank }: Comparison): boolean {
  return bank === 'Away' || bank === 'Unreadable';
}
