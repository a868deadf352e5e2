import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
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
  findUnknown,
  findUnrecordedApprovals,
  type OpenDifferences,
  summarise,
  sumOf,
} from '#libs/payment-order';
import { formatDecimal, isUuid } from '#libs/obie-rules';
import { Database, DatabaseReader, readTime, recordAuditEvent } from '#libs/persistence';
import { OperatorError } from './operator-error.js';
import type { ReconciliationCommand } from './command.js';
import { dayMilliseconds } from './read-parameters.js';
import type { DifferencePrinter } from './print-differences.js';

type Given = Extract<ReconciliationCommand, { name: 'reconcile' }>;
type Reconcile = Exclude<Given, { since: unknown }> | { name: 'reconcile'; since: Date };

function withMoment(given: Given, now: Date): Reconcile {
  if (!('since' in given)) return given;
  const { name, since } = given;
  return { name, since: typeof since === 'number' ? new Date(now.getTime() - since * dayMilliseconds) : since };
}

/** Operations on payment orders that differ from their files or from the bank's book. */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly scheme: PaymentScheme,
  ) {}

  /**
   * Compares one payment order, those of a list, or all that changed since a moment. Changes nothing; the worker also
   * compares, and records what it finds.
   * @returns whether there is no unacknowledged difference and the bank's book could be read: always if a payment order
   * is unknown here, otherwise if the bank offers its book
   * @throws OperatorError if there is no such payment order, or no such list
   */
  async reconcile(given: Given, printer: DifferencePrinter): Promise<boolean> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const command = withMoment(given, now);
    const totals = new Totals(now, command);
    const askBank = this.#createQuestion();
    const unknown: string[] = [];
    for await (const consentIds of this.#findConsents(command, unknown)) {
      const comparisons = await compareBooks(consentIds, { runner: this.database, askBank, clock: this.clock });
      for (const comparison of comparisons) {
        totals.add(comparison);
        printComparison(comparison, printer);
      }
    }
    for (const filePaymentId of unknown) {
      const answer = await askBank(filePaymentId);
      const differences = typeof answer === 'string' ? [] : findUnknown(answer);
      totals.addUnknown(answer, differences);
      const where = { filePaymentId, consentId: null, clientId: null };
      for (const difference of differences) printer.print({ ...where, ...difference, isAcknowledged: false });
    }
    if ('since' in command) {
      for await (const { id, clientId, isOrdered } of findUnrecordedApprovals(this.database, command.since)) {
        if (isOrdered) continue;
        totals.addUnrecorded();
        const kind = 'ApprovalNotRecorded';
        printer.print({ filePaymentId: null, consentId: id, clientId, kind, isAcknowledged: false });
      }
    }
    printer.end(totals.shown());
    return totals.isClean;
  }

  /** Reads write no audit event. */
  findOpen(): Promise<OpenDifferences[]> {
    return findOpenDifferences(this.reader);
  }

  /** @throws OperatorError when nothing of this payment order, or consent without one, is open */
  async acknowledge({
    id,
    mandate: { actor, reason },
  }: Extract<ReconciliationCommand, { name: 'acknowledge' }>): Promise<{ id: string; done: string }> {
    const occurredAt = await readTime(this.database, this.clock.ofDatabase());
    await this.database.transaction(async (runner) => {
      const acknowledged = await acknowledgeDifferences(runner, { id, now: occurredAt });
      if (acknowledged === undefined) {
        throw new OperatorError(`There is no payment order ${id} with open differences.`, 'refused');
      }
      const { clientId, consentId, differences } = acknowledged;
      const filePayment = id === consentId ? {} : { filePaymentId: id };
      const details = { consentId, ...filePayment, reason, differences: summarise(differences) };
      await recordAuditEvent(runner, { actor, action: 'payment-order.acknowledge', clientId, details, occurredAt });
    });
    return { id, done: 'acknowledge' };
  }

  /** If the bank is unavailable, the rest is compared without it, and the answer says so. */
  #createQuestion(): (filePaymentId: string) => Promise<BankBookAnswer> {
    let isAway = false;
    return async (filePaymentId) => {
      if (isAway) return 'Away';
      // The answer says why: unavailable, or an unreadable answer.
      const answer = await askForFile(this.scheme, filePaymentId, () => undefined);
      isAway ||= answer === 'Away';
      return answer;
    };
  }

  /** @param unknown gets those of a list that are not here */
  async *#findConsents(command: Reconcile, unknown: string[]): AsyncGenerator<string[]> {
    if ('since' in command) yield* findChangedConsents(this.database, command.since);
    else if ('listed' in command) {
      let known: string[] = [];
      for (const filePaymentId of await readList(command.listed)) {
        const consentId = await findConsentOf(this.database, filePaymentId);
        if (consentId === undefined) unknown.push(filePaymentId);
        else known.push(consentId);
        if (known.length === comparedAtOnce) {
          yield known;
          known = [];
        }
      }
      if (known.length > 0) yield known;
    } else {
      const consentId = await findConsentOf(this.database, command.filePaymentId);
      if (consentId === undefined) {
        throw new OperatorError(`There is no payment order ${command.filePaymentId}.`, 'refused');
      }
      yield [consentId];
    }
  }
}

/** Payment orders of a list that are compared at once. */
const comparedAtOnce = 100;

/**
 * @param file its name; `-` for standard input
 * @throws OperatorError, which does not quote what is not a list: it may be the wrong file
 */
async function readList(file: string): Promise<string[]> {
  const text = await (file === '-' ? readText(process.stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new OperatorError(`The list cannot be read: ${String(Reflect.get(Object(error), 'code'))}.`, 'refused');
  });
  const lines = text
    .toLowerCase()
    .split('\n')
    .map((line) => line.trim());
  const wrong = lines.findIndex((line) => line !== '' && !isUuid(line));
  if (wrong !== -1)
    throw new OperatorError(`Line ${wrong + 1} of the list is not the id of a payment order.`, 'refused');
  return [...new Set(lines.filter((line) => line !== ''))];
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
  #paymentOrders = 0;
  #payments = 0;
  #sum = 0n;
  /** consents with payments whose amounts were erased */
  #withoutSum = 0;
  #differences = 0;
  #acknowledged = 0;
  /** payment orders of a list that only the bank has; undefined: there was no list */
  #onlyAtBank: number | undefined;
  /** payment orders of a list that are not here */
  #unknown = 0;
  /** the bank offers no book, so nothing says what it has of one of them */
  #isUnanswered = false;
  readonly #bank: Record<Comparison['bank'], number> = {
    Compared: 0,
    NotOffered: 0,
    Away: 0,
    Unreadable: 0,
    NotAsked: 0,
  };

  constructor(at: Date, command: Reconcile) {
    this.#head = 'since' in command ? { at, since: command.since } : { at };
    if ('listed' in command) this.#onlyAtBank = 0;
  }

  addUnknown(answer: BankBookAnswer, differences: readonly unknown[]): void {
    this.#unknown += 1;
    this.#onlyAtBank = (this.#onlyAtBank ?? 0) + (differences.length > 0 ? 1 : 0);
    this.#bank[typeof answer === 'string' ? answer : 'Compared'] += 1;
    this.#isUnanswered ||= answer === 'NotOffered';
    this.#differences += differences.length;
  }

  /** Counts an approval without a payment order, of which the audit trail has no event. */
  addUnrecorded(): void {
    this.#differences += 1;
  }

  add({ own, bank, differences, isAcknowledged }: Comparison): void {
    const sum = sumOf(own.payments);
    this.#paymentOrders += own.filePayment === undefined ? 0 : 1;
    this.#payments += own.payments.length;
    this.#sum += sum ?? 0n;
    this.#withoutSum += sum === undefined ? 1 : 0;
    this.#bank[bank] += 1;
    this.#differences += differences.length;
    this.#acknowledged += isAcknowledged ? differences.length : 0;
  }

  get isClean(): boolean {
    const isAnswered = this.#bank.Away === 0 && this.#bank.Unreadable === 0 && !this.#isUnanswered;
    return this.#differences === this.#acknowledged && isAnswered;
  }

  shown(): object {
    const { NotAsked: withoutPayment, ...bank } = this.#bank;
    return {
      ...this.#head,
      paymentOrders: this.#paymentOrders,
      consentsWithoutPayment: withoutPayment,
      ...(this.#onlyAtBank !== undefined && { unknown: this.#unknown, onlyAtBank: this.#onlyAtBank }),
      payments: this.#payments,
      sum: formatDecimal(this.#sum),
      withoutSum: this.#withoutSum,
      differences: this.#differences,
      acknowledged: this.#acknowledged,
      // How many payment orders were compared with the bank's book, or why none.
      bank,
    };
  }
}
