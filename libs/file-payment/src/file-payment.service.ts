import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Clock, Config } from '#libs/config';
import {
  afterCutOff,
  assertOwned,
  assertSameRequest,
  type Authorisation,
  type Charge,
  ConsentError,
  findInitiationMismatch,
  type Initiation,
  isCutOff,
} from '#libs/consent';
import { claimIdempotencyKey, IdempotencyStore, type IdempotentRequest } from '#libs/idempotency';
import { approvalDeadline, consentStep, type ConsentStatus, isUuid, parseJson } from '#libs/obie-rules';
import { Batch, Database } from '#libs/persistence';
import { FilePaymentEntity } from './file-payment.entity.js';
import { toFilePayment, type FilePaymentRow } from './file-payment-row.js';
import { FilePaymentError } from './file-payment.errors.js';
import { PaymentEntity } from './payment.entity.js';
import type { PaymentFileEntity } from './payment-file.entity.js';
import { FileUploadService } from './file-upload.service.js';

/** A file payment with the parts of its consent that every answer repeats. */
export interface FilePayment {
  readonly payment: FilePaymentEntity;
  /** sum of the file, decimal text */
  readonly controlSum: string;
  readonly initiation: Initiation;
  readonly charges: readonly Charge[];
  /** until when all who have to approve it may; it counts where there are several */
  readonly approveBefore: Date;
}

/** A file payment with its file and the state of each payment in it. */
export interface FilePaymentReport extends FilePayment {
  readonly file: PaymentFileEntity;
  /** in file order */
  readonly payments: readonly PaymentEntity[];
}

interface PaymentRequest {
  readonly request: IdempotentRequest;
  readonly consentId: string;
}

interface ConsentForPayment extends Record<string, unknown> {
  client_id: string | null;
  status: ConsentStatus | null;
  initiation: string | null;
  authorisation: string | null;
  charges: string | null;
  control_sum: string | null;
  cut_off_at: Date | null;
  replayed_hash: Buffer | null;
  replayed_id: string | null;
}

const consumption = consentStep('Authorised', 'Consumed');

/** Makes file payments from authorised consents, each once, and reads them. */
@Injectable()
export class FilePaymentService {
  readonly #filePayments: Repository<FilePaymentEntity>;
  readonly #payments: Repository<PaymentEntity>;
  readonly #files: FileUploadService;
  readonly #idempotency: IdempotencyStore;
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #lookups = new Batch<string, FilePaymentRow | undefined>((ids) => this.#findTogether(ids), { maxSize: 100 });
  readonly #consentLookups = new Batch<PaymentRequest, ConsentForPayment | undefined>(
    (requests) => this.#findForPaymentTogether(requests),
    { maxSize: 100 },
  );

  constructor(
    @InjectRepository(FilePaymentEntity) filePayments: Repository<FilePaymentEntity>,
    @InjectRepository(PaymentEntity) payments: Repository<PaymentEntity>,
    files: FileUploadService,
    idempotency: IdempotencyStore,
    database: Database,
    config: Config,
    clock: Clock,
  ) {
    this.#filePayments = filePayments;
    this.#payments = payments;
    this.#files = files;
    this.#idempotency = idempotency;
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * Makes a file payment from an Authorised consent, which becomes Consumed in the same statement.
   * @param initiation Data.Initiation of the request; must say what the consent's says
   * @returns the new file payment, or for a repeated request the first one as it is now
   * @throws ConsentError, FilePaymentError ConsentMismatch
   */
  async create(
    request: IdempotentRequest,
    { consentId, initiation }: { consentId: string; initiation: Initiation },
  ): Promise<FilePayment> {
    const now = this.#clock.now();
    const found = await this.#consentLookups.add({ request, consentId });
    if (found?.replayed_id && found.replayed_hash) {
      assertSameRequest(found.replayed_hash.equals(request.requestHash));
      return this.getOwned(found.replayed_id, request.clientId);
    }
    const consent = assertOwned(toOwned(found), request.clientId);
    if (consent.status !== consumption.from) throw invalidStatus(consent.status);
    if (isCutOff(consent.cutOffAt, this.#config, now)) throw afterCutOff();
    const agreed = parseJson(Buffer.from(consent.initiation)) as Initiation;
    const mismatch = findInitiationMismatch(agreed, initiation);
    if (mismatch !== undefined) {
      throw new FilePaymentError(
        'ConsentMismatch',
        `${mismatch} differs from the consent that was authorised.`,
        mismatch,
      );
    }
    const payment = await this.#store(request, consentId, now);
    if (payment === undefined) return this.#getReplay(request);
    return {
      payment,
      initiation: agreed,
      charges: JSON.parse(consent.charges) as Charge[],
      controlSum: consent.controlSum,
      approveBefore: this.#approveBefore(payment, consent.authorisation),
    };
  }

  /**
   * @returns what an earlier request with this key and body made, as it is now; undefined for a new key
   * @throws ConsentError IdempotencyKeyReused
   */
  async findReplay(request: IdempotentRequest): Promise<FilePayment | undefined> {
    const record = await this.#idempotency.find(request, this.#clock.now());
    if (record === undefined) return undefined;
    assertSameRequest(record.isSameRequest);
    return this.getOwned(record.resourceId, request.clientId);
  }

  /**
   * By a statement of its own, which requests of the same moment share: it is the most frequent request there is.
   * @throws FilePaymentError FilePaymentNotFound, FilePaymentOfAnotherClient
   */
  async getOwned(filePaymentId: string, clientId: string): Promise<FilePayment> {
    const id = filePaymentId.toLowerCase();
    const row = isUuid(id) ? await this.#lookups.add(id) : undefined;
    const payment = assertOwnedPayment(row === undefined ? null : toFilePayment(row), clientId);
    return {
      payment,
      initiation: parseJson(Buffer.from(row?.initiation ?? '')) as Initiation,
      charges: JSON.parse(row?.charges ?? '[]') as Charge[],
      controlSum: row?.control_sum ?? '0',
      approveBefore: this.#approveBefore(payment, row?.authorisation ?? null),
    };
  }

  #approveBefore({ createdAt }: FilePaymentEntity, authorisation: string | null): Date {
    const { CompletionDateTime } = JSON.parse(authorisation ?? '{}') as Partial<Authorisation>;
    const { approvalSeconds } = this.#config.authorization;
    return approvalDeadline({ createdAt, completionDateTime: CompletionDateTime, approvalSeconds });
  }

  /**
   * @returns the file payment and the payments in it, in file order
   * @throws FilePaymentError as {@link getOwned}
   */
  async getPayments(
    filePaymentId: string,
    clientId: string,
  ): Promise<{ payment: FilePaymentEntity; payments: readonly PaymentEntity[] }> {
    const found = isUuid(filePaymentId.toLowerCase()) ? await this.#filePayments.findOneBy({ filePaymentId }) : null;
    const payment = assertOwnedPayment(found, clientId);
    return { payment, payments: await this.#findPayments(payment.filePaymentId) };
  }

  /** @throws FilePaymentError as {@link getOwned} */
  async getReport(filePaymentId: string, clientId: string): Promise<FilePaymentReport> {
    const filePayment = await this.getOwned(filePaymentId, clientId);
    const { payment } = filePayment;
    const [file, payments] = await Promise.all([
      this.#files.getFile(payment.consentId),
      this.#findPayments(payment.filePaymentId),
    ]);
    return { ...filePayment, file, payments };
  }

  #findPayments(filePaymentId: string): Promise<PaymentEntity[]> {
    return this.#payments.find({ where: { filePaymentId }, order: { position: 'ASC' } });
  }

  /** Look-ups that arrive in one turn share a statement. It is sent after all of them arrived, so nothing is stale. */
  async #findTogether(filePaymentIds: readonly string[]): Promise<(FilePaymentRow | undefined)[]> {
    const { rows } = await this.#database.query<FilePaymentRow>(
      'find-file-payments',
      `SELECT payment.*, consent.initiation, consent.authorisation, consent.charges, consent.control_sum
         FROM file_payments AS payment JOIN file_payment_consents AS consent USING (consent_id)
        WHERE payment.file_payment_id = ANY ($1::uuid[])`,
      [[...new Set(filePaymentIds)]],
    );
    const found = new Map(rows.map((row) => [row.file_payment_id, row]));
    return filePaymentIds.map((filePaymentId) => found.get(filePaymentId));
  }

  /** Consent and an earlier use of the key, each of which may be absent: likewise one statement for the requests of one turn. */
  async #findForPaymentTogether(requests: readonly PaymentRequest[]): Promise<(ConsentForPayment | undefined)[]> {
    const { rows } = await this.#database.query<ConsentForPayment & { number: string }>(
      'find-consents-for-payments',
      `SELECT asked.number, consent.client_id, consent.status, consent.initiation, consent.authorisation, consent.charges,
              consent.control_sum, consent.cut_off_at, taken.request_hash AS replayed_hash, taken.resource_id AS replayed_id
         FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY
           AS asked (consent_id, client_id, operation, idempotency_key, number)
         LEFT JOIN file_payment_consents AS consent ON consent.consent_id = asked.consent_id
         LEFT JOIN idempotency_keys AS taken ON taken.client_id = asked.client_id AND taken.operation = asked.operation
           AND taken.idempotency_key = asked.idempotency_key AND taken.expires_at > $5`,
      [
        requests.map(({ consentId }) => (isUuid(consentId.toLowerCase()) ? consentId : null)),
        requests.map(({ request }) => request.clientId),
        requests.map(({ request }) => request.operation),
        requests.map(({ request }) => request.idempotencyKey),
        this.#clock.now(),
      ],
    );
    const found = new Map(rows.map((row) => [Number(row.number), row]));
    return requests.map((_, index) => found.get(index + 1));
  }

  /**
   * One statement: the consent is locked and must still be Authorised, the key is claimed, the consent is consumed, the
   * file payment and its payments are written; or nothing of it happens.
   * @returns undefined when somebody else was faster
   */
  async #store(request: IdempotentRequest, consentId: string, now: Date): Promise<FilePaymentEntity | undefined> {
    const filePaymentId = uuidv7();
    const { rows } = await this.#database.query<{ approvals_required: number; next_attempt_at: Date | null }>(
      'create-file-payment',
      `WITH consent AS (
         SELECT consent_id FROM file_payment_consents
          WHERE consent_id = $8 AND client_id = $1 AND status = '${consumption.from}' AND expires_at > $7 FOR UPDATE),
       claimed AS (${claimIdempotencyKey('consent')}),
       consumed AS (
         UPDATE file_payment_consents AS changed SET status = '${consumption.to}', status_updated_at = $7
           FROM consent, claimed WHERE changed.consent_id = consent.consent_id
         RETURNING changed.consent_id, coalesce(changed.approvals_required, 1) AS approvals_required),
       created AS (
         INSERT INTO file_payments (file_payment_id, consent_id, client_id, status, created_at, status_updated_at,
           approvals_required, approvals_received, approvals_updated_at, next_attempt_at)
         SELECT $5, consent_id, $1, 'InitiationPending', $7, $7, approvals_required, 1, $7,
           CASE WHEN approvals_required > 1 THEN NULL ELSE $7::timestamptz END FROM consumed
         RETURNING file_payment_id, consent_id, approvals_required, next_attempt_at),
       items AS (
         INSERT INTO payments (payment_id, file_payment_id, position, status, status_updated_at)
         SELECT item.payment_id, created.file_payment_id, item.number - 1, 'Pending', $7
           FROM created JOIN payment_files USING (consent_id),
                unnest(payment_files.payment_ids) WITH ORDINALITY AS item (payment_id, number))
       SELECT approvals_required, next_attempt_at FROM created`,
      [...this.#idempotency.parametersOf(request, filePaymentId, now), consentId],
    );
    const [row] = rows;
    if (row === undefined) return undefined;
    return Object.assign(new FilePaymentEntity(), {
      filePaymentId,
      consentId,
      clientId: request.clientId,
      status: 'InitiationPending' as const,
      createdAt: now,
      statusUpdatedAt: now,
      approvalsRequired: row.approvals_required,
      approvalsReceived: 1,
      approvalsUpdatedAt: now,
      batchAcceptedAt: null,
      settleBy: null,
      attempts: 0,
      faults: 0,
      lastFault: null,
      heldAt: null,
      nextAttemptAt: row.next_attempt_at,
    });
  }

  async #getReplay(request: IdempotentRequest): Promise<FilePayment> {
    const replay = await this.findReplay(request);
    if (replay === undefined) throw invalidStatus('no longer Authorised');
    return replay;
  }
}

/** Ownership: a file payment is seen only by the client that made it. */
function assertOwnedPayment(payment: FilePaymentEntity | null, clientId: string): FilePaymentEntity {
  if (payment === null) throw new FilePaymentError('FilePaymentNotFound', 'There is no such file payment.');
  if (payment.clientId === clientId) return payment;
  throw new FilePaymentError('FilePaymentOfAnotherClient', 'The file payment belongs to another client.');
}

function toOwned(found: ConsentForPayment | undefined) {
  if (!found || found.client_id === null || found.status === null) return undefined;
  if (found.initiation === null || found.charges === null) return undefined;
  return {
    clientId: found.client_id,
    status: found.status,
    initiation: found.initiation,
    authorisation: found.authorisation,
    charges: found.charges,
    controlSum: found.control_sum ?? '0',
    cutOffAt: found.cut_off_at,
  };
}

function invalidStatus(status: string): ConsentError {
  return new ConsentError('InvalidConsentStatus', `A payment needs an Authorised consent; the consent is ${status}.`);
}
