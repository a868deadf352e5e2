import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import {
  concludeHeldPayment,
  type FinalPaymentStatus,
  findHeldFilePayments,
  type HeldFilePayment,
  rejectHeldFilePayment,
  retryHeldFilePayment,
  retryHeldSettlement,
  settlementEnd,
} from '#libs/file-payment';
import { Database, recordAuditEvent, type StatementRunner } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';
import { exitCode, OperatorError } from './operator-error.js';

type Decision = Parameters<typeof rejectHeldFilePayment>[1];

const changes = {
  retry: async (runner: StatementRunner, decision: Decision) =>
    (await retryHeldFilePayment(runner, decision)) ?? (await retryHeldSettlement(runner, decision)),
  reject: rejectHeldFilePayment,
};

/** What operators of the bank do about file payments that are held. Each change and its audit event are one transaction. */
@Injectable()
export class PaymentOperations {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #config: Config;

  constructor(database: Database, clock: Clock, config: Config) {
    this.#database = database;
    this.#clock = clock;
    this.#config = config;
  }

  /** Reading leaves no trace. */
  findHeld(): Promise<HeldFilePayment[]> {
    return findHeldFilePayments(this.#database);
  }

  /** @throws OperatorError when no file payment of this id is held */
  async decide(
    verb: keyof typeof changes,
    filePaymentId: string,
    { actor, reason }: Mandate,
  ): Promise<{ filePaymentId: string; done: string }> {
    const occurredAt = this.#clock.now();
    await this.#database.transaction(async (runner) => {
      const settleBy = settlementEnd(occurredAt, this.#config);
      const clientId = await changes[verb](runner, { filePaymentId, now: occurredAt, settleBy });
      if (clientId === undefined) {
        const what = verb === 'reject' ? 'held before its payments were handed over' : 'held';
        throw new OperatorError(`There is no file payment ${filePaymentId} that is ${what}.`, exitCode.refused);
      }
      const details = { filePaymentId, ...(reason === undefined ? {} : { reason }) };
      await recordAuditEvent(runner, { actor, action: `file-payment.${verb}`, clientId, details, occurredAt });
    });
    return { filePaymentId, done: verb };
  }

  /**
   * Writes down how a payment ended whose settlement the bank never reported.
   * @throws OperatorError when no payment of this id is held for that
   */
  async conclude(
    paymentId: string,
    status: FinalPaymentStatus,
    { actor, reason }: Mandate,
  ): Promise<{ paymentId: string; filePaymentId: string; status: FinalPaymentStatus }> {
    const occurredAt = this.#clock.now();
    const filePaymentId = await this.#database.transaction(async (runner) => {
      const concluded = await concludeHeldPayment(runner, { paymentId, status, now: occurredAt });
      if (concluded === undefined) {
        throw new OperatorError(
          `There is no payment ${paymentId} whose settlement is overdue and held.`,
          exitCode.refused,
        );
      }
      const { clientId, filePaymentId: ofFile } = concluded;
      const details = { paymentId, filePaymentId: ofFile, status, ...(reason === undefined ? {} : { reason }) };
      await recordAuditEvent(runner, { actor, action: 'payment.conclude', clientId, details, occurredAt });
      return ofFile;
    });
    return { paymentId, filePaymentId, status };
  }
}
