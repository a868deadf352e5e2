import { Injectable } from '@nestjs/common';
import { findAccessOfPsu } from '#libs/access-consent';
import { findFundsQuestions, type RecordedFundsQuestion } from '#libs/audit';
import { ClientAdministration } from '#libs/client-registration';
import { Clock } from '#libs/config';
import { findOrdersOfPsu } from '#libs/payment-order';
import { Database, DatabaseReader, readTime, recordAuditEvent } from '#libs/persistence';
import { AccessEndService } from '#libs/token-store';
import type { ReasonedMandate } from './command.js';
import { OperatorError } from './operator-error.js';

/** What a customer has agreed to or was asked about; members that do not apply are absent. */
export interface CustomerRecord {
  /** file-payment, account-access ..., or funds-question */
  readonly kind: string;
  /** when the customer decided, or somebody asked */
  readonly at: Date;
  readonly consentId: string;
  readonly status: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly orgName: string;
  /** names of accounts */
  readonly accounts?: string;
  /** decimal text */
  readonly amount?: string;
  readonly currency?: string;
  readonly numberOfPayments?: number;
  readonly filePaymentId?: string;
  readonly paymentStatus?: string;
  readonly expiresAt?: Date;
  /** the latest day on which the app used its access */
  readonly lastUsedAt?: Date;
  readonly reference?: string;
}

type Found = Omit<CustomerRecord, 'clientName' | 'orgName'>;

/** What the bank's help desk sees and does for a customer. */
@Injectable()
export class HelpDesk {
  constructor(
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly clients: ClientAdministration,
    private readonly accessEnds: AccessEndService,
  ) {}

  /**
   * @returns the newest first: a hundred payments, valid access and a hundred that ended, every question about funds
   */
  async find(psuId: string): Promise<CustomerRecord[]> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    const found = [
      ...(await this.#findPayments(psuId)),
      ...(await this.#findAccess(psuId, now)),
      ...(await this.#findQuestions(psuId)),
    ].toSorted((one, other) => other.at.getTime() - one.at.getTime());
    const clients = await Promise.all(
      [...new Set(found.map(({ clientId }) => clientId))].map((id) => this.clients.find(id)),
    );
    const byId = new Map(
      clients.flatMap((client) => (client === undefined ? [] : [[client.clientId, client] as const])),
    );
    return found.map((record) => {
      const { clientName = '', orgName = '' } = byId.get(record.clientId) ?? {};
      return { ...record, clientName, orgName };
    });
  }

  /**
   * Ends access at the customer's wish; what the app has read or paid stays.
   * @throws OperatorError if the customer has given no such access, or it has ended
   */
  async endAccess(psuId: string, consentId: string, { actor, reason, confirm }: ReasonedMandate): Promise<object> {
    const now = await readTime(this.database, this.clock.ofDatabase());
    await this.database.transaction(async (runner) => {
      await confirm?.(runner);
      const isEnded = await this.accessEnds.endOfPsu({ consentId, psuId, now, interactionId: null, actor }, runner);
      if (!isEnded) {
        const fault = `The customer has given no access ${consentId} that is valid.`;
        throw new OperatorError(`${fault} "consents --customer" lists it all.`, 'refused');
      }
      const details = { consentId, psuId, reason };
      await recordAuditEvent(runner, { actor, action: 'access.end', details, occurredAt: now });
    });
    return { consentId, done: 'end' };
  }

  async #findPayments(psuId: string): Promise<Found[]> {
    const orders = await findOrdersOfPsu(this.reader, psuId);
    return orders.map(
      ({ decidedAt, accountName, total, numberOfPayments, filePaymentId, paymentStatus, ...order }) => ({
        ...order,
        at: decidedAt,
        ...(accountName !== null && { accounts: accountName }),
        ...(total !== null && { amount: total, currency: 'GBP' }),
        ...(numberOfPayments !== null && { numberOfPayments }),
        ...(filePaymentId !== null && { filePaymentId }),
        ...(paymentStatus !== null && { paymentStatus }),
      }),
    );
  }

  async #findAccess(psuId: string, now: Date): Promise<Found[]> {
    const access = await findAccessOfPsu(this.reader, psuId, now);
    return access.map(({ accounts, authorisedAt, expiresAt, lastUsedAt, ...consent }) => ({
      ...consent,
      at: authorisedAt,
      ...(accounts !== null && { accounts: accounts.map(({ Name = '' }) => Name).join(', ') }),
      ...(expiresAt !== null && { expiresAt }),
      ...(lastUsedAt !== null && { lastUsedAt }),
    }));
  }

  async #findQuestions(psuId: string): Promise<Found[]> {
    const questions: RecordedFundsQuestion[] = [];
    for (let page = 0, isLast = false; !isLast; page += 1) {
      const found = await findFundsQuestions(this.reader, { psuId, page });
      questions.push(...found.questions);
      ({ isLast } = found);
    }
    return questions.map(({ askedAt, isAvailable, reference, ...question }) => ({
      ...question,
      kind: 'funds-question',
      at: askedAt,
      status: isAvailable === null ? 'no answer' : isAvailable ? 'available' : 'not available',
      ...(reference !== null && { reference }),
    }));
  }
}
