import { Injectable } from '@nestjs/common';
import { askForFile, PaymentScheme } from '#libs/bank';
import { Clock } from '#libs/config';
import {
  acknowledgeDifferences,
  type BankBookAnswer,
  compareBooks,
  type Comparison,
  findChangedConsents,
  findConsentOf,
  findOpenDifferences,
  type OpenDifferences,
  summarise,
  sumOf,
} from '#libs/file-payment';
import { formatDecimal } from '#libs/obie-rules';
import { Database, DatabaseReader, recordAuditEvent } from '#libs/persistence';
import { OperatorError } from './operator-error.js';
import type { ReconciliationCommand } from './command.js';
import type { DifferencePrinter } from './print-differences.js';

type Reconcile = Extract<ReconciliationCommand, { name: 'reconcile' }>;

/** Operations on file payments that differ from their files or from the bank's book. */
@Injectable()
export class Reconciliation {
  readonly #database: Database;
  readonly #reader: DatabaseReader;
  readonly #clock: Clock;
  readonly #scheme: PaymentScheme;

  constructor(database: Database, reader: DatabaseReader, clock: Clock, scheme: PaymentScheme) {
    this.#database = database;
    this.#reader = reader;
    this.#clock = clock;
    this.#scheme = scheme;
  }

  /**
   * Compares one file payment, or all that changed since a moment. Changes nothing; the worker also compares, and
   * records what it finds.
   * @returns whether there is no unacknowledged difference and the bank's book could be read if the bank offers it
   * @throws OperatorError if there is no such file payment
   */
  async reconcile(command: Reconcile, printer: DifferencePrinter): Promise<boolean> {
    const totals = new Totals(this.#clock.now(), command);
    const askBank = this.#createQuestion();
    for await (const consentIds of this.#findConsents(command)) {
      const comparisons = await compareBooks(consentIds, { runner: this.#database, askBank, clock: this.#clock });
      for (const comparison of comparisons) {
        totals.add(comparison);
        printComparison(comparison, printer);
      }
    }
    printer.end(totals.shown());
    return totals.isClean;
  }

  /** Reads write no audit event. */
  findOpen(): Promise<OpenDifferences[]> {
    return findOpenDifferences(this.#reader);
  }

  /** @throws OperatorError when nothing of this file payment, or consent without one, is open */
  async acknowledge({
    id,
    mandate: { actor, reason },
  }: Extract<ReconciliationCommand, { name: 'acknowledge' }>): Promise<{ id: string; done: string }> {
    const occurredAt = this.#clock.now();
    await this.#database.transaction(async (runner) => {
      const acknowledged = await acknowledgeDifferences(runner, { id, now: occurredAt });
      if (acknowledged === undefined) {
        throw new OperatorError(`There is no file payment ${id} with open differences.`, 'refused');
      }
      const { clientId, consentId, differences } = acknowledged;
      const filePayment = id === consentId ? {} : { filePaymentId: id };
      const details = { consentId, ...filePayment, reason, differences: summarise(differences) };
      await recordAuditEvent(runner, { actor, action: 'file-payment.acknowledge', clientId, details, occurredAt });
    });
    return { id, done: 'acknowledge' };
  }

  /** If the bank is unavailable, the rest is compared without it, and the answer says so. */
  #createQuestion(): (filePaymentId: string) => Promise<BankBookAnswer> {
    let isAway = false;
    return async (filePaymentId) => {
      if (isAway) return 'Away';
      // The answer says why: unavailable, or an unreadable answer.
      const answer = await askForFile(this.#scheme, filePaymentId, () => undefined);
      isAway ||= answer === 'Away';
      return answer;
    };
  }

  async *#findConsents(command: Reconcile): AsyncGenerator<string[]> {
    if ('since' in command) yield* findChangedConsents(this.#database, command.since);
    else {
      const consentId = await findConsentOf(this.#database, command.filePaymentId);
      if (consentId === undefined) {
        throw new OperatorError(`There is no file payment ${command.filePaymentId}.`, 'refused');
      }
      yield [consentId];
    }
  }
}

function printComparison({ own, differences, isAcknowledged }: Comparison, printer: DifferencePrinter): void {
  const { consentId, clientId, filePayment } = own;
  for (const difference of differences) {
    printer.print({
      filePaymentId: filePayment?.filePaymentId ?? null,
      consentId,
      clientId,
      ...difference,
      isAcknowledged,
    });
  }
}

/** What was compared, and how much of it differs. */
class Totals {
  readonly #head: object;
  #filePayments = 0;
  #payments = 0;
  #sum = 0n;
  /** consents with payments whose amounts were erased */
  #withoutSum = 0;
  #differences = 0;
  #acknowledged = 0;
  readonly #bank: Record<Comparison['bank'], number> = {
    Compared: 0,
    NotOffered: 0,
    Away: 0,
    Unreadable: 0,
    NotAsked: 0,
  };

  constructor(at: Date, command: Reconcile) {
    this.#head = 'since' in command ? { at, since: command.since } : { at };
  }

  add({ own, bank, differences, isAcknowledged }: Comparison): void {
    const sum = sumOf(own.payments);
    this.#filePayments += own.filePayment === undefined ? 0 : 1;
    this.#payments += own.payments.length;
    this.#sum += sum ?? 0n;
    this.#withoutSum += sum === undefined ? 1 : 0;
    this.#bank[bank] += 1;
    this.#differences += differences.length;
    this.#acknowledged += isAcknowledged ? differences.length : 0;
  }

  get isClean(): boolean {
    return this.#differences === this.#acknowledged && this.#bank.Away === 0 && this.#bank.Unreadable === 0;
  }

  shown(): object {
    const { NotAsked: withoutPayment, ...bank } = this.#bank;
    return {
      ...this.#head,
      filePayments: this.#filePayments,
      consentsWithoutPayment: withoutPayment,
      payments: this.#payments,
      sum: formatDecimal(this.#sum),
      withoutSum: this.#withoutSum,
      differences: this.#differences,
      acknowledged: this.#acknowledged,
      // Of how many file payments the bank's book was compared, or why not.
      bank,
    };
  }
}
