import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock, Config } from '#libs/config';
import {
  afterCutOff,
  assertOwned,
  assertSameRequest,
  ConsentError,
  ConsentService,
  dayOf,
  type Initiation,
  isCutOff,
  termsFor,
} from '#libs/consent';
import { fieldInvalid, ObError, type ObErrorItem } from '#libs/error-envelope';
import { IdempotencyStore, type IdempotentRequest } from '#libs/idempotency';
import {
  defaultLocalInstrument,
  formatDecimal,
  isLocalInstrument,
  isUuid,
  JsonTooLongError,
  londonDay,
  parseStoredJson,
} from '#libs/obie-rules';
import { Batch, Database } from '#libs/persistence';
import { FaultList } from './fault-list.js';
import { arrival, type ConsentForUpload, findConsentsForUploadSql, storePaymentFileSql } from './file-upload-sql.js';
import { isPaymentFile, mostPayments, parsePaymentFile, type PaymentFile } from './parse-payment-file.js';
import { PaymentFileEntity } from './payment-file.entity.js';
import {
  sumOfPayments,
  verifyFileAgainstConsent,
  verifyPaymentsAgainstConsent,
} from './verify-file-against-consent.js';

/** What was uploaded, and to which consent. */
interface UploadedFile {
  readonly consentId: string;
  readonly body: Buffer;
  readonly digest: Buffer;
  readonly parse: () => Record<string, unknown>;
  /** of the request */
  readonly interactionId: string;
}

interface ConsentRequest {
  readonly request: IdempotentRequest;
  readonly consentId: string;
}

/** Takes the file of a consent: checks it against what the consent says and stores it, once. */
@Injectable()
export class FileUploadService {
  readonly #files: Repository<PaymentFileEntity>;
  readonly #consents: ConsentService;
  readonly #idempotency: IdempotencyStore;
  readonly #database: Database;
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #lookups = new Batch<ConsentRequest, ConsentForUpload | undefined>((asked) => this.#findTogether(asked), {
    maxSize: 100,
  });

  constructor(
    @InjectRepository(PaymentFileEntity) files: Repository<PaymentFileEntity>,
    consents: ConsentService,
    idempotency: IdempotencyStore,
    database: Database,
    config: Config,
    clock: Clock,
  ) {
    this.#files = files;
    this.#consents = consents;
    this.#idempotency = idempotency;
    this.#database = database;
    this.#config = config;
    this.#clock = clock;
  }

  /**
   * AwaitingUpload -> AwaitingAuthorisation with the file, or -> Rejected when the file contradicts the consent.
   * @param uploaded.body the octets as received: they are stored
   * @param uploaded.digest their SHA-256
   * @param uploaded.parse makes the same a parsed JSON object; called once, as soon as the consent has been looked up
   * @param uploaded.interactionId of the request, for the audit event
   * @throws ConsentError; ObError 400 with one item for every fault of the file; what `parse` throws
   */
  async upload(request: IdempotentRequest, uploaded: UploadedFile): Promise<void> {
    const { consentId, body, interactionId } = uploaded;
    const now = this.#clock.now();
    const found = await this.#findForUpload(request, consentId);
    // From here to its end without waiting: uploads that wait for the database hold their octets, not thousands of parsed members each.
    const read = this.#read(request, { uploaded, found, now });
    if (read === 'replayed') return;
    if (read === 'too late') return this.#rejectLate(uploaded);
    if ('faults' in read) {
      if (this.#config.consent.rejectOnFileMismatch)
        await this.#consents.rejectAwaitingUpload(consentId, interactionId);
      throw refused(read);
    }
    const isStored = await this.#store(request, { consentId, body, file: read, now, interactionId });
    if (!isStored) await this.#assertReplay(request);
  }

  /** @throws ConsentError; what `parse` throws, which comes first */
  #read(
    request: IdempotentRequest,
    { uploaded, found, now }: { uploaded: UploadedFile; found: FoundConsent | undefined; now: Date },
  ): 'replayed' | 'too late' | FaultyFile | SoundFile {
    const document = parseUnlessTooLong(uploaded.parse);
    const consent = assertOwned(found, request.clientId);
    if (consent.replayedHash !== undefined) {
      assertSameRequest(consent.replayedHash.equals(request.requestHash));
      return 'replayed';
    }
    if (consent.status !== arrival.from) throw invalidStatus(consent.status);
    if (isCutOff(consent.cutOffAt, this.#config, now)) return 'too late';
    const { initiation } = consent;
    if (document === undefined) return tooLong({ digest: uploaded.digest, initiation });
    return readFile({ digest: uploaded.digest, document, initiation, now });
  }

  /** @throws ConsentError FileNotUploaded, and those of ConsentService.getOwned */
  async getOwnedFile(consentId: string, clientId: string): Promise<PaymentFileEntity> {
    await this.#consents.getOwned(consentId, clientId);
    const file = await this.getFile(consentId);
    if (file.erasedAt === null) return file;
    throw new ConsentError('FileNotUploaded', 'The file was erased when its retention time was over.');
  }

  /**
   * @param consentId of a consent that the caller owns
   * @returns the file; its content may have been erased
   * @throws ConsentError FileNotUploaded
   */
  async getFile(consentId: string): Promise<PaymentFileEntity> {
    const file = await this.#files.findOneBy({ consentId });
    if (file === null) throw new ConsentError('FileNotUploaded', 'No file has been uploaded to the consent.');
    return file;
  }

  async #findForUpload(request: IdempotentRequest, consentId: string): Promise<FoundConsent | undefined> {
    if (!isUuid(consentId.toLowerCase())) return undefined;
    const row = await this.#lookups.add({ request, consentId });
    if (row === undefined) return undefined;
    return {
      clientId: row.client_id,
      status: row.status,
      cutOffAt: row.cut_off_at,
      initiation: parseStoredJson(Buffer.from(row.initiation)) as Initiation,
      ...(row.replayed_hash === null ? {} : { replayedHash: row.replayed_hash }),
    };
  }

  /** Requests of one turn share a statement. It is sent after all of them arrived, so nothing is stale. */
  async #findTogether(asked: readonly ConsentRequest[]): Promise<(ConsentForUpload | undefined)[]> {
    const { rows } = await this.#database.query<ConsentForUpload>(
      'find-consents-for-upload',
      findConsentsForUploadSql,
      [
        asked.map(({ consentId }) => consentId),
        asked.map(({ request }) => request.clientId),
        asked.map(({ request }) => request.operation),
        asked.map(({ request }) => request.idempotencyKey),
        this.#clock.now(),
      ],
    );
    const found = new Map(rows.map((row) => [Number(row.number), row]));
    return asked.map((_, index) => found.get(index + 1));
  }

  /** @returns false when somebody else was faster */
  async #store(
    request: IdempotentRequest,
    upload: Pick<UploadedFile, 'consentId' | 'body' | 'interactionId'> & { file: SoundFile; now: Date },
  ): Promise<boolean> {
    const { consentId, body, file, now } = upload;
    const { numberOfPayments, sum, localInstrument, requestedDay } = file;
    const terms = termsFor({ localInstrument, requestedDay, config: this.#config, now });
    if (terms.isTooLate) return this.#rejectLate(upload);
    const { rowCount } = await this.#database.query('store-payment-file', storePaymentFileSql, [
      ...this.#idempotency.parametersOf(request, consentId, now),
      terms.expiresAt,
      numberOfPayments,
      formatDecimal(sum),
      localInstrument,
      JSON.stringify(terms.charges),
      terms.cutOffAt,
      body,
    ]);
    return rowCount === 1;
  }

  /** @throws ConsentError AfterCutOffDateTime, with the consent Rejected */
  async #rejectLate(late: Pick<UploadedFile, 'consentId' | 'interactionId'>): Promise<never> {
    await this.#consents.rejectAwaitingUpload(late.consentId, late.interactionId);
    throw afterCutOff();
  }

  /** A twin under the same key was faster, and this one is answered like it; or another upload was. */
  async #assertReplay(request: IdempotentRequest): Promise<void> {
    const record = await this.#idempotency.find(request, this.#clock.now());
    if (record === undefined) throw invalidStatus('no longer AwaitingUpload');
    assertSameRequest(record.isSameRequest);
  }
}

/** What is known of a consent before its file is read. */
interface FoundConsent {
  readonly clientId: string;
  readonly status: string;
  readonly cutOffAt: Date | null;
  readonly initiation: Initiation;
  readonly replayedHash?: Buffer;
}

/** What is kept of a file without a fault, beside its octets. */
interface SoundFile {
  readonly numberOfPayments: number;
  /** units of 0.00001 */
  readonly sum: bigint;
  readonly localInstrument: string;
  /** day of execution, `YYYY-MM-DD`, where one was asked for */
  readonly requestedDay: string | undefined;
}

/** Everything that is wrong with a file, as far as it is listed. */
interface FaultyFile {
  readonly faults: readonly ObErrorItem[];
  readonly count: number;
}

/** @returns undefined for a file with more in it than is read; throws whatever else `parse` does */
function parseUnlessTooLong(parse: UploadedFile['parse']): Record<string, unknown> | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Error && error.cause instanceof JsonTooLongError) return undefined;
    throw error;
  }
}

/** Whatever the consent said of such a file, it can never be one of 150 payments: not read, and refused like one of 151. */
function tooLong({ digest, initiation }: { digest: Buffer; initiation: Initiation }): FaultyFile {
  const fault = fieldInvalid('File', `has more values or numbers than a file of ${mostPayments} payments may have`);
  const faults = [...verifyFileAgainstConsent({ file: undefined, digest, initiation }), fault];
  return { faults, count: faults.length };
}

/**
 * Reads the file and lists everything that is wrong with it at once: the faults of its payments, and whatever can still
 * be told of it against its consent. Contradictions of the whole file come first.
 */
function readFile({
  digest,
  document,
  initiation,
  now,
}: {
  digest: Buffer;
  document: Record<string, unknown>;
  initiation: Initiation;
  now: Date;
}): SoundFile | FaultyFile {
  const payments = new FaultList();
  const instrument = initiation.LocalInstrument;
  const consentInstrument = instrument !== undefined && isLocalInstrument(instrument) ? instrument : undefined;
  const file = parsePaymentFile({ document, consentInstrument, now, faults: payments });
  if (file !== undefined) verifyPaymentsAgainstConsent({ file, initiation, faults: payments });
  const whole = verifyFileAgainstConsent({ file, digest, initiation });
  const count = whole.length + payments.count;
  if (count > 0 || file === undefined || !isPaymentFile(file)) return { faults: [...whole, ...payments.items], count };
  return {
    numberOfPayments: file.payments.length,
    sum: sumOfPayments(file.payments) ?? 0n,
    // The consent may have named neither type nor day; the file's are known only now.
    localInstrument: initiation.LocalInstrument ?? file.payments[0]?.localInstrument ?? defaultLocalInstrument,
    requestedDay: dayOf(initiation.RequestedExecutionDateTime) ?? earliestDay(file),
  };
}

/** @returns the first day that a payment asks for; undefined when one asks for none */
function earliestDay({ payments }: PaymentFile): string | undefined {
  const times = payments.map(({ requestedExecutionDate }) => requestedExecutionDate?.getTime());
  if (!times.every((time) => time !== undefined)) return undefined;
  return londonDay(new Date(Math.min(...times)));
}

function refused({ faults, count }: FaultyFile): ObError {
  const number = count === 1 ? 'It has one fault.' : `It has ${count} faults; at most 100 are listed.`;
  return new ObError(400, `The uploaded file was refused. ${number}`, faults);
}

function invalidStatus(status: string): ConsentError {
  return new ConsentError(
    'InvalidConsentStatus',
    `A file may be uploaded while the consent is AwaitingUpload; it is ${status}.`,
  );
}
