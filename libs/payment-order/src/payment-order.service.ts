import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Clock, Config } from '#libs/config';
import {
  afterCutOff,
  consentUnusable,
  assertOwned,
  assertSameRequest,
  assertVersion,
  type Charge,
  type ConsentKind,
  ConsentStatusError,
  type DebtorAccount,
  type Initiation,
  isCutOff,
} from '#libs/consent';
import { IdempotencyStore, type IdempotentRequest, inTurn, keysOf } from '#libs/idempotency';
import { approvalDeadline, type Conditions, type ConsentStatus, isUuid, parseStoredJson } from '#libs/obie-rules';
import { Batch, Database, DatabaseReader, type StatementRunner } from '#libs/persistence';
import type { OnlyPayment, OrderState, PaymentOrderRow } from './payment-order-row.js';
import { PaymentOrderError } from './payment-order.errors.js';
import {
  consumption,
  createOrders,
  findConsentsForPayments,
  findOrders,
  findPaymentsOf,
  type FoundForPayment,
  type NewOrder,
  orderValues,
  toConsent,
} from './payment-order-sql.js';
import type { PaymentEntity } from './payment.entity.js';
import { filePaymentIdOf } from './payment-id.js';

/** A requested file payment. `Sent`: what its kind of consent sends as Data.Initiation. */
export interface RequestedOrder<Sent extends object = Initiation> {
  /** as in the body, not yet checked */
  readonly consentId: string;
  /** of the API that received the request */
  readonly apiVersion: string;
  /**
   * The request must match the consent.
   * @param agreed what was sent with the consent
   * @param risk the same, for kinds that have it
   * @returns the path of the first member that differs
   */
  readonly findMismatch: (agreed: Sent, risk: object | undefined) => string | undefined;
}

/** A file payment with the parts of its consent that every answer repeats. `Sent`: as above. */
export interface FilePayment<Sent extends object = Initiation> {
  readonly payment: OrderState;
  /** sum of the file, decimal text */
  readonly controlSum: string;
  /** of the API in which its consent was made */
  readonly apiVersion: string;
  readonly initiation: Sent;
  /** the account that pays */
  readonly debtorAccount?: DebtorAccount;
  readonly charges: readonly Charge[];
  /** deadline for all approvals; it matters only if there are several approvers */
  readonly approveBefore: Date;
  readonly conditions: Conditions;
  /** the state of its only payment, if it has one */
  readonly only?: OnlyPayment;
  /** whether this request made it */
  readonly isNew?: true;
}

interface PaymentRequest {
  readonly request: IdempotentRequest;
  readonly consentId: string;
}

/**
 * Makes the orders of authorised consents, each once, and reads them. An order has one kind; asking for it as another
 * kind finds nothing.
 */
@Injectable()
export class PaymentOrderService {
  readonly #lookups = new Batch<string, PaymentOrderRow | undefined>((ids) => this.#findTogether(ids), {
    maxSize: 100,
    keyOf: () => this.database.inBatchesOf((filePaymentId) => filePaymentId),
  });
  readonly #consentLookups = new Batch<PaymentRequest, FoundForPayment | undefined>(
    (requests) => this.#findForPaymentTogether(requests),
    {
      maxSize: 100,
      keyOf: () => this.database.inBatchesOf(({ consentId, request }) => `${request.clientId} ${consentId}`),
    },
  );

  readonly #orders = new Batch<NewOrder, OrderState | undefined>(
    (orders) =>
      inTurn(
        orders,
        (distinct) => this.#storeTogether(distinct),
        ({ consentId }) => consentId,
      ),
    {
      maxSize: 10,
      keyOf: () => this.database.inBatchesOf(({ request }) => request.clientId),
    },
  );

  constructor(
    private readonly idempotency: IdempotencyStore,
    private readonly database: Database,
    private readonly reader: DatabaseReader,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a file payment from an Authorised consent, which becomes Consumed in the same statement.
   * @returns the new file payment, or for a repeated request the first one in its current state
   * @throws ConsentError, PaymentOrderError ConsentMismatch
   */
  async create<Sent extends object>(
    kind: ConsentKind,
    request: IdempotentRequest,
    sent: RequestedOrder<Sent>,
  ): Promise<FilePayment<Sent>> {
    // Answers have the ConsentId in small letters, however it was sent.
    const consentId = sent.consentId.toLowerCase();
    const now = this.clock.now();
    const found = await this.#consentLookups.add({ request, consentId });
    const replay = await this.#findReplayIn<Sent>(kind, found, request);
    if (replay !== undefined) return replay;
    const consent = assertOwned(toConsent(found, kind), request.clientId);
    assertVersion(consent, sent.apiVersion);
    if (consent.status !== consumption.from) throw invalidStatus(consent.status);
    if (isCutOff(consent.cutOffAt, this.config, now)) throw afterCutOff();
    const agreed = parseStoredJson(Buffer.from(consent.initiation)) as Sent;
    const risk = consent.risk === null ? undefined : (JSON.parse(consent.risk) as object);
    const mismatch = sent.findMismatch(agreed, risk);
    if (mismatch !== undefined) {
      throw new PaymentOrderError(
        'ConsentMismatch',
        `${mismatch} differs from the consent that was authorised.`,
        mismatch,
      );
    }
    const payment = await this.#orders.add({ kind, request, consentId });
    if (payment === undefined) return this.#getWinner(kind, request, consentId);
    return {
      payment,
      apiVersion: consent.apiVersion,
      initiation: agreed,
      ...(consent.debtorAccount === null ? {} : { debtorAccount: consent.debtorAccount }),
      conditions: consent.conditions,
      ...(consent.numberOfPayments === 1 ? { only: newPayment(payment) } : {}),
      isNew: true,
      charges: JSON.parse(consent.charges) as Charge[],
      controlSum: consent.controlSum ?? '0',
      approveBefore: this.#approveBefore(payment, consent.conditions),
    };
  }

  /**
   * @returns what an earlier request with this key and body made, in its current state; undefined for a new key
   * @throws ConsentError IdempotencyKeyReused
   */
  async findReplay<Sent extends object = Initiation>(
    kind: ConsentKind,
    request: IdempotentRequest,
  ): Promise<FilePayment<Sent> | undefined> {
    const record = await this.idempotency.find(request, this.clock.ofDatabase());
    if (record === undefined) return undefined;
    assertSameRequest(record.isSameRequest);
    return this.getOwned(kind, record.resourceId, request.clientId);
  }

  /**
   * Requests of the same moment share a statement, because this is the most frequent request.
   * @throws PaymentOrderError PaymentOrderNotFound, PaymentOrderOfAnotherClient
   */
  async getOwned<Sent extends object = Initiation>(
    kind: ConsentKind,
    filePaymentId: string,
    clientId: string,
  ): Promise<FilePayment<Sent>> {
    const id = filePaymentId.toLowerCase();
    return this.#toOwned(kind, isUuid(id) ? await this.#lookups.add(id) : undefined, clientId);
  }

  #toOwned<Sent extends object>(
    kind: ConsentKind,
    row: PaymentOrderRow | undefined,
    clientId: string,
  ): FilePayment<Sent> {
    const {
      kind: _,
      apiVersion,
      initiation,
      conditions,
      charges,
      controlSum,
      debtorAccount,
      ...rest
    } = assertOwnedOrder(kind, row, clientId);
    const { onlyStatus, onlyStatusUpdatedAt, onlyStatusDetail, ...payment } = rest;
    return {
      payment,
      apiVersion,
      initiation: parseStoredJson(Buffer.from(initiation)) as Sent,
      ...(debtorAccount !== null && { debtorAccount }),
      conditions,
      ...(onlyStatus !== null &&
        onlyStatusUpdatedAt !== null && {
          only: { status: onlyStatus, statusUpdatedAt: onlyStatusUpdatedAt, statusDetail: onlyStatusDetail },
        }),
      charges: JSON.parse(charges) as Charge[],
      controlSum: controlSum ?? '0',
      approveBefore: this.#approveBefore(payment, conditions),
    };
  }

  #approveBefore({ createdAt }: Pick<OrderState, 'createdAt'>, { Authorisation }: Conditions): Date {
    const { approvalSeconds } = this.config.authorization;
    return approvalDeadline({ createdAt, completionDateTime: Authorisation?.CompletionDateTime, approvalSeconds });
  }

  /**
   * @returns the file payment and the payments in it, in file order
   * @throws PaymentOrderError as {@link getOwned}
   */
  async getPayments<Sent extends object = Initiation>(
    kind: ConsentKind,
    filePaymentId: string,
    clientId: string,
  ): Promise<FilePayment<Sent> & { payments: readonly PaymentEntity[] }> {
    const filePayment = await this.getOwned<Sent>(kind, filePaymentId, clientId);
    return { ...filePayment, payments: await findPayments(this.database, filePayment.payment.filePaymentId) };
  }

  /**
   * From a replica, if there is one: the report may be a second old.
   * @returns the order with its payments, and where they were read: read the file there too
   * @throws PaymentOrderError as {@link getOwned}
   */
  async getForReport<Sent extends object = Initiation>(
    kind: ConsentKind,
    filePaymentId: string,
    clientId: string,
  ): Promise<FilePayment<Sent> & { payments: readonly PaymentEntity[]; runner: StatementRunner }> {
    const id = filePaymentId.toLowerCase();
    const [row] = isUuid(id) ? await findRows(this.reader, [id]) : [];
    const runner = row === undefined ? this.database : this.reader;
    const filePayment =
      row === undefined ? await this.getOwned<Sent>(kind, id, clientId) : this.#toOwned<Sent>(kind, row, clientId);
    return { ...filePayment, payments: await findPayments(runner, filePayment.payment.filePaymentId), runner };
  }

  /** Look-ups that arrive in one turn share a statement. It is sent after all of them arrived, so nothing is stale. */
  async #findTogether(filePaymentIds: readonly string[]): Promise<(PaymentOrderRow | undefined)[]> {
    const rows = await findRows(this.database, [...new Set(filePaymentIds)]);
    const found = new Map(rows.map((row) => [row.filePaymentId, row]));
    return filePaymentIds.map((filePaymentId) => found.get(filePaymentId));
  }

  /** One statement for the requests of one turn, as above. */
  async #findForPaymentTogether(requests: readonly PaymentRequest[]): Promise<(FoundForPayment | undefined)[]> {
    const values = {
      consentIds: requests.map(({ consentId }) => (isUuid(consentId) ? consentId : null)),
      ...keysOf(requests.map(({ request }) => request)),
      now: this.clock.ofDatabase(),
    };
    const { rows } = await this.database.query<FoundForPayment & { number: string }>(
      ...findConsentsForPayments.with(values),
    );
    const found = new Map(rows.map((row) => [Number(row.number), row]));
    return requests.map((_, index) => found.get(index + 1));
  }

  /**
   * Orders that arrive together share a statement and its commit.
   * @returns for each the order; undefined if another request was faster
   */
  async #storeTogether(orders: readonly NewOrder[]): Promise<(OrderState | undefined)[]> {
    const times = { now: this.clock.ofDatabase(), retentionSeconds: this.idempotency.retentionSeconds };
    const { rows } = await this.database.query<CreatedOrder>(...createOrders.with(orderValues(orders, times)));
    const created = new Map(rows.map((row) => [row.consentId, row]));
    return orders.map((order) => toState(order, created.get(order.consentId)));
  }

  /**
   * Another request was faster: a twin under the same key, which gets the same answer, or another payment of the
   * consent.
   */
  async #getWinner<Sent extends object>(
    kind: ConsentKind,
    request: IdempotentRequest,
    consentId: string,
  ): Promise<FilePayment<Sent>> {
    const found = await this.#consentLookups.add({ request, consentId });
    const replay = await this.#findReplayIn<Sent>(kind, found, request);
    if (replay !== undefined) return replay;
    const consent = assertOwned(toConsent(found, kind), request.clientId);
    if (consent.status === consumption.from) throw consentUnusable(consent.expiresAt, this.clock.now());
    throw invalidStatus(consent.status);
  }

  /** @throws ConsentError IdempotencyKeyReused */
  async #findReplayIn<Sent extends object>(
    kind: ConsentKind,
    found: FoundForPayment | undefined,
    request: IdempotentRequest,
  ): Promise<FilePayment<Sent> | undefined> {
    if (!found?.replayedId || !found.replayedHash) return undefined;
    assertSameRequest(found.replayedHash.equals(request.requestHash));
    return this.getOwned(kind, found.replayedId, request.clientId);
  }
}

type CreatedOrder = Pick<OrderState, 'consentId' | 'approvalsRequired' | 'createdAt'>;

function toState({ request, consentId }: NewOrder, created: CreatedOrder | undefined): OrderState | undefined {
  return (
    created && {
      ...created,
      filePaymentId: filePaymentIdOf(consentId),
      clientId: request.clientId,
      status: 'InitiationPending',
      statusReason: null,
      statusUpdatedAt: created.createdAt,
      approvalsReceived: 1,
      approvalsUpdatedAt: created.createdAt,
      batchAcceptedAt: null,
      heldAt: null,
      stoppedAt: null,
    }
  );
}

function newPayment({ createdAt }: OrderState): OnlyPayment {
  return { status: 'Pending', statusUpdatedAt: createdAt, statusDetail: null };
}

async function findRows(runner: StatementRunner, filePaymentIds: readonly string[]): Promise<PaymentOrderRow[]> {
  return (await runner.query<PaymentOrderRow>(...findOrders.with({ filePaymentIds }))).rows;
}

async function findPayments(runner: StatementRunner, filePaymentId: string): Promise<PaymentEntity[]> {
  return (await runner.query<PaymentEntity & QueryResultRow>(...findPaymentsOf.with({ filePaymentId }))).rows;
}

/** Only the client that made an order sees it. */
function assertOwnedOrder({ name }: ConsentKind, row: PaymentOrderRow | undefined, clientId: string): PaymentOrderRow {
  const noun = name.replaceAll('-', ' ');
  if (row?.kind !== name) throw new PaymentOrderError('PaymentOrderNotFound', `There is no such ${noun}.`);
  if (row.clientId === clientId) return row;
  throw new PaymentOrderError('PaymentOrderOfAnotherClient', `The ${noun} belongs to another client.`);
}

function invalidStatus(status: ConsentStatus): ConsentStatusError {
  const code = status === consumption.to ? 'AlreadyThere' : 'InvalidConsentStatus';
  return new ConsentStatusError(
    code,
    (nameOf) => `A payment needs an ${nameOf(consumption.from)} consent; the consent is ${nameOf(status)}.`,
  );
}
