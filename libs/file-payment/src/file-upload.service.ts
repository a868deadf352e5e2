import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import {
  afterCutOff,
  assertOwned,
  assertSameRequest,
  assertVersion,
  ConsentError,
  ConsentStatusError,
  consentUnusable,
  ConsentService,
  filePaymentKind,
  type FileTerms,
  type Initiation,
  isCutOff,
  readFileTerms,
  termsFor,
} from '#libs/consent';
import { IdempotencyStore, type IdempotentRequest, inTurn, keysOf } from '#libs/idempotency';
import { type ConsentStatus, isUuid, JsonTooLongError, parseStoredJson } from '#libs/obie-rules';
import { Batch, Database } from '#libs/persistence';
import { FaultyFileError } from './faulty-file.error.js';
import {
  arrival,
  type ConsentForUpload,
  fileValues,
  type FileToStore,
  findConsentsForUpload,
  storePaymentFiles,
} from './file-upload-sql.js';
import { findPaymentFile } from './find-payment-file.js';
import { mostValuesOf } from './parse-payment-file.js';
import type { PaymentFileEntity } from './payment-file.entity.js';
import { type FaultyFile, readUploadedFile, type SoundFile, tooLong } from './read-uploaded-file.js';

/** An upload and its consent. */
interface UploadedFile {
  readonly consentId: string;
  /** of the API that received it */
  readonly apiVersion: string;
  readonly body: Buffer;
  readonly digest: Buffer;
  readonly parse: (mostValues: number) => Record<string, unknown>;
  /** of the request */
  readonly interactionId: string;
}

/** Files up to this length are stored with others. */
const mostBytesTogether = 250_000;

interface ConsentRequest {
  readonly request: IdempotentRequest;
  readonly consentId: string;
}

/** Accepts the file of a consent: checks it against the consent and stores it, once. */
@Injectable()
export class FileUploadService {
  readonly #lookups = new Batch<ConsentRequest, ConsentForUpload | undefined>((asked) => this.#findTogether(asked), {
    maxSize: 100,
    keyOf: () => this.database.inBatchesOf(({ consentId, request }) => `${request.clientId} ${consentId}`),
  });
  readonly #files = new Batch<FileToStore, true | undefined>(
    (files) =>
      inTurn(
        files,
        (distinct) => this.#storeTogether(distinct),
        ({ consentId }) => consentId,
      ),
    { maxSize: 8, keyOf: () => this.database.inBatchesOf(({ request }) => request.clientId) },
  );

  constructor(
    private readonly consents: ConsentService,
    private readonly idempotency: IdempotencyStore,
    private readonly database: Database,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * AwaitingUpload -> AwaitingAuthorisation with the file, or -> Rejected if the file contradicts the consent.
   * @param uploaded.body the bytes as received, which are stored
   * @param uploaded.digest their SHA-256
   * @param uploaded.parse parses the bytes as a JSON object of at most the given number of values; called once, after
   * the look-up of the consent
   * @param uploaded.interactionId of the request, for the audit event
   * @throws ConsentError; FaultyFileError with every fault of the file; what `parse` throws
   */
  async upload(request: IdempotentRequest, uploaded: UploadedFile): Promise<void> {
    const { consentId, body, interactionId } = uploaded;
    const now = this.clock.now();
    const found = await this.#findForUpload(request, consentId);
    // Nothing waits while a parsed file is in memory: an upload that waits for the database holds its bytes, not
    // thousands of members.
    const read = this.#read(request, { uploaded, found, now });
    if (read === 'replayed') return;
    if (read === 'too late') return this.#rejectLate(uploaded);
    if ('faults' in read) {
      if (this.config.consent.rejectOnFileMismatch)
        await this.consents.rejectAwaitingUpload(consentId, 'FileMismatch', interactionId);
      throw refused(read);
    }
    const isStored = await this.#store(request, { consentId, body, file: read, now, interactionId });
    if (!isStored) await this.#assertReplay(request, consentId);
  }

  /** @throws ConsentError; what `parse` throws, which comes first */
  #read(
    request: IdempotentRequest,
    { uploaded, found, now }: { uploaded: UploadedFile; found: FoundConsent | undefined; now: Date },
  ): 'replayed' | 'too late' | FaultyFile | SoundFile {
    const { bankRules: bank } = this.config;
    const document = parseUnlessTooLong(uploaded.parse, mostValuesOf(found?.terms.fileType, bank));
    const consent = assertOwned(found, request.clientId);
    assertVersion(consent, uploaded.apiVersion);
    if (consent.replayedHash !== undefined) {
      assertSameRequest(consent.replayedHash.equals(request.requestHash));
      return 'replayed';
    }
    if (consent.status !== arrival.from) throw invalidStatus(consent.status);
    if (isCutOff(consent.cutOffAt, this.config, now)) return 'too late';
    const { terms, initiation } = consent;
    if (document === undefined) return tooLong({ digest: uploaded.digest, terms, bank });
    return readUploadedFile({ digest: uploaded.digest, document, terms, initiation, bank, now });
  }

  /**
   * @param asked.hold called with the file's length before the file is read
   * @throws ConsentError FileNotUploaded, ConsentOfAnotherVersion, and those of ConsentService.getOwned
   */
  async getOwnedFile(
    consentId: string,
    asked: { clientId: string; apiVersion: string; hold: (length: number) => void },
  ): Promise<PaymentFileEntity> {
    assertVersion(await this.consents.getOwned(filePaymentKind, consentId, asked.clientId), asked.apiVersion);
    const file = await findPaymentFile(this.database, consentId, asked.hold);
    if (file.erasedAt === null) return file;
    throw new ConsentError('FileNotUploaded', 'The file was erased when its retention time was over.');
  }

  async #findForUpload(request: IdempotentRequest, consentId: string): Promise<FoundConsent | undefined> {
    if (!isUuid(consentId.toLowerCase())) return undefined;
    const row = await this.#lookups.add({ request, consentId });
    if (row === undefined) return undefined;
    const initiation = parseStoredJson(Buffer.from(row.initiation)) as Initiation;
    return {
      clientId: row.client_id,
      status: row.status,
      apiVersion: row.api_version,
      cutOffAt: row.cut_off_at,
      expiresAt: row.expires_at,
      initiation,
      terms: readFileTerms(initiation),
      ...(row.replayed_hash === null ? {} : { replayedHash: row.replayed_hash }),
    };
  }

  /**
   * Requests of one turn of the event loop share a statement. It is sent after all of them arrived, so nothing is
   * stale.
   */
  async #findTogether(asked: readonly ConsentRequest[]): Promise<(ConsentForUpload | undefined)[]> {
    const values = {
      consentIds: asked.map(({ consentId }) => consentId),
      ...keysOf(asked.map(({ request }) => request)),
      now: this.clock.ofDatabase(),
    };
    const { rows } = await this.database.query<ConsentForUpload>(...findConsentsForUpload.with(values));
    const found = new Map(rows.map((row) => [Number(row.number), row]));
    return asked.map((_, index) => found.get(index + 1));
  }

  /** @returns false if another request was faster */
  async #store(
    request: IdempotentRequest,
    upload: Pick<UploadedFile, 'consentId' | 'body' | 'interactionId'> & { file: SoundFile; now: Date },
  ): Promise<boolean> {
    const { consentId, body, file, now } = upload;
    const { localInstrument, requestedDay } = file;
    const terms = termsFor({ localInstrument, requestedDay, config: this.config, now });
    if (terms.isTooLate) return this.#rejectLate(upload);
    // A batch compares ids as they are spelt.
    const toStore = { request, consentId: consentId.toLowerCase(), body, file, terms };
    // A long file is most of the work by itself, and would be copied to share a statement.
    if (body.length > mostBytesTogether) return (await this.#storeTogether([toStore]))[0] === true;
    return (await this.#files.add(toStore)) === true;
  }

  /**
   * Files that arrive together share a statement and its commit.
   * @returns for each whether it is stored; undefined if another request was faster
   */
  async #storeTogether(files: readonly FileToStore[]): Promise<(true | undefined)[]> {
    const times = {
      now: this.clock.ofDatabase(),
      retentionSeconds: this.idempotency.retentionSeconds,
      expirySeconds: this.config.consent.expirySeconds,
    };
    const { rows } = await this.database.query<{ consent_id: string }>(
      ...storePaymentFiles.with(fileValues(files, times)),
    );
    const stored = new Map(rows.map((row) => [row.consent_id, true as const]));
    return files.map(({ consentId }) => stored.get(consentId));
  }

  /** @throws ConsentError AfterCutOffDateTime, with the consent Rejected */
  async #rejectLate(late: Pick<UploadedFile, 'consentId' | 'interactionId'>): Promise<never> {
    await this.consents.rejectAwaitingUpload(late.consentId, 'CutOff', late.interactionId);
    throw afterCutOff();
  }

  /** Another request was faster. If it had the same key, this one gets the same answer. */
  async #assertReplay(request: IdempotentRequest, consentId: string): Promise<void> {
    const consent = assertOwned(await this.#findForUpload(request, consentId), request.clientId);
    if (consent.replayedHash === undefined) {
      if (consent.status === arrival.from) throw consentUnusable(consent.expiresAt, this.clock.now());
      throw invalidStatus(consent.status);
    }
    assertSameRequest(consent.replayedHash.equals(request.requestHash));
  }
}

/** What is known about a consent before its file is read. */
interface FoundConsent {
  readonly clientId: string;
  readonly status: ConsentStatus;
  readonly apiVersion: string;
  readonly cutOffAt: Date | null;
  readonly expiresAt: Date;
  readonly initiation: Initiation;
  readonly terms: FileTerms;
  readonly replayedHash?: Buffer;
}

/** @returns undefined for a file with too many values; throws any other error of `parse` */
function parseUnlessTooLong(parse: UploadedFile['parse'], mostValues: number): Record<string, unknown> | undefined {
  try {
    return parse(mostValues);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof JsonTooLongError) return undefined;
    throw error;
  }
}

function refused({ faults, count }: FaultyFile): FaultyFileError {
  const number = count === 1 ? 'It has one fault.' : `It has ${count} faults; at most 100 are listed.`;
  return new FaultyFileError(`The uploaded file was refused. ${number}`, faults);
}

function invalidStatus(status: ConsentStatus): ConsentStatusError {
  return new ConsentStatusError(
    // Rejected is final; in every other state the file has arrived.
    status === 'AwaitingAuthorisation' || status === 'Authorised' || status === 'Consumed'
      ? 'AlreadyThere'
      : 'InvalidConsentStatus',
    (nameOf) => `A file may be uploaded while the consent is ${nameOf(arrival.from)}; it is ${nameOf(status)}.`,
  );
}
