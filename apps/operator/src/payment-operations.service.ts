import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import {
  findHeldFilePayments,
  type HeldFilePayment,
  rejectHeldFilePayment,
  retryHeldFilePayment,
} from '#libs/file-payment';
import { Database, recordAuditEvent } from '#libs/persistence';
import type { Mandate } from './client-operations.service.js';
import { exitCode, OperatorError } from './operator-error.js';

const changes = { retry: retryHeldFilePayment, reject: rejectHeldFilePayment };

/** What operators of the bank do about file payments that are held. Each change and its audit event are one transaction. */
@Injectable()
export class PaymentOperations {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
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
      const clientId = await changes[verb](runner, { filePaymentId, now: occurredAt });
      if (clientId === undefined) {
        throw new OperatorError(`There is no file payment ${filePaymentId} that is held.`, exitCode.refused);
      }
      const details = { filePaymentId, ...(reason === undefined ? {} : { reason }) };
      await recordAuditEvent(runner, { actor, action: `file-payment.${verb}`, clientId, details, occurredAt });
    });
    return { filePaymentId, done: verb };
  }
}
