import type { StatementTime } from '#libs/config';
import { consentEndSql, type ConsentTerms, filePaymentKind, listPayments } from '#libs/consent';
import { claimIdempotencyKeys, type IdempotentRequest, keysOf, rowOfIdempotencyKey } from '#libs/idempotency';
import { consentStep, type ConsentStatus, formatDecimal } from '#libs/obie-rules';
import { lockConsents } from '#libs/payment-order';
import { rowByKey, statement } from '#libs/persistence';
import type { SoundFile } from './read-uploaded-file.js';

/** The file arrives. */
export const arrival = consentStep('AwaitingUpload', 'AwaitingAuthorisation');

/** A consent, with the outcome of an earlier request under the same key. */
export interface ConsentForUpload extends Record<string, unknown> {
  /** position of the request, from 1 */
  number: string;
  client_id: string;
  status: ConsentStatus;
  api_version: string;
  initiation: string;
  cut_off_at: Date | null;
  expires_at: Date;
  replayed_hash: Buffer | null;
}

/** For each request, by `number`: its consent, unless that has another kind, and the earlier use of its key. */
export const findConsentsForUpload = statement<{
  consentIds: readonly string[];
  clientIds: readonly string[];
  operations: readonly string[];
  idempotencyKeys: readonly string[];
  now: StatementTime;
}>('find-consents-for-upload')`
  SELECT asked.number, consent.client_id, consent.status, consent.api_version, consent.initiation, consent.cut_off_at,
    consent.expires_at,
         taken.request_hash AS replayed_hash
    FROM unnest(:consentIds::uuid[], :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[]) WITH ORDINALITY
      AS asked (consent_id, client_id, operation, idempotency_key, number)
   CROSS JOIN ${rowByKey('payment_consents', 'consent_id = asked.consent_id')} AS consent
    LEFT JOIN ${rowOfIdempotencyKey('asked')} AS taken ON taken.expires_at > :now
   WHERE consent.kind = '${filePaymentKind.name}'`;

/** A sound file to store, under the key of its request. */
export interface FileToStore {
  readonly request: IdempotentRequest;
  readonly consentId: string;
  readonly body: Buffer;
  readonly file: SoundFile;
  readonly terms: ConsentTerms;
}

/**
 * Stores several files: each consent is locked and must still be AwaitingUpload, the key is claimed, the consent
 * changes its state, and list and file are stored; or nothing happens for that request, and there is no row. No key and
 * no consent may occur twice. Lists and files each come in one value, one behind the other, because an array of bytes
 * would be sent as twice as many digits. The files are the last parameter, because the driver would copy them again for
 * every parameter after it.
 */
export const storePaymentFiles = statement<ReturnType<typeof fileValues>>('store-payment-file', ['now', 'clientIds'])`
  WITH request AS MATERIALIZED (
    SELECT consent_id AS resource_id, '${filePaymentKind.name}' AS kind, request.* FROM unnest(
      :clientIds::uuid[], :operations::text[], :idempotencyKeys::text[], :requestHashes::bytea[], :consentIds::uuid[],
      :endsAt::timestamptz[], :numbersOfPayments::integer[], :sums::numeric[], :localInstruments::text[],
      :charges::text[], :cutOffsAt::timestamptz[], :approvalHashes::bytea[], :amounts::text[], :listStarts::integer[],
      :listLengths::integer[], :fileStarts::integer[], :fileLengths::integer[])
    AS request (client_id, operation, idempotency_key, request_hash, consent_id, ends_at, number_of_transactions,
      control_sum, local_instrument, charges, cut_off_at, approval_hash, amounts, list_start, list_length, file_start,
      file_length)),
  ${lockConsents('request', arrival.from)},
  claimed AS (${claimIdempotencyKeys('consent', ':retentionSeconds', ':now')}),
  moved AS (
    UPDATE payment_consents AS changed
       SET status = '${arrival.to}', status_updated_at = :now,
         expires_at = ${consentEndSql(':now', ':expirySeconds', 'consent.ends_at')},
         number_of_transactions = consent.number_of_transactions, control_sum = consent.control_sum,
         local_instrument = consent.local_instrument, charges = consent.charges, cut_off_at = consent.cut_off_at,
         approval_hash = consent.approval_hash
      FROM consent JOIN claimed USING (resource_id) WHERE changed.consent_id = consent.consent_id
    RETURNING changed.consent_id, amounts, list_start, list_length, file_start, file_length),
  listed AS (${listPayments('moved', {
    instructions: `convert_from(substring(:lists::bytea FROM list_start FOR list_length), 'UTF8')`,
    amounts: 'amounts::numeric[]',
  })})
  INSERT INTO payment_files (consent_id, content, uploaded_at)
  SELECT consent_id, substring(:contents::bytea FROM file_start FOR file_length), :now FROM moved
  RETURNING consent_id`;

/**
 * @param times.retentionSeconds how long keys count
 * @param times.expirySeconds how long consents last from now
 */
export function fileValues(
  files: readonly FileToStore[],
  times: { now: StatementTime; retentionSeconds: number; expirySeconds: number },
) {
  const lists = inOne(files.map(({ file }) => Buffer.from(file.list.instructions)));
  const contents = inOne(files.map(({ body }) => body));
  return {
    ...times,
    ...keysOf(files.map(({ request }) => request)),
    consentIds: files.map(({ consentId }) => consentId),
    endsAt: files.map(({ terms }) => terms.endsAt),
    numbersOfPayments: files.map(({ file }) => file.numberOfPayments),
    sums: files.map(({ file }) => formatDecimal(file.sum)),
    localInstruments: files.map(({ file }) => file.localInstrument),
    charges: files.map(({ terms }) => JSON.stringify(terms.charges)),
    cutOffsAt: files.map(({ terms }) => terms.cutOffAt),
    approvalHashes: files.map(({ file }) => file.list.approvalHash),
    amounts: files.map(({ file }) => file.list.amounts),
    listStarts: lists.starts,
    listLengths: lists.lengths,
    lists: lists.bytes,
    fileStarts: contents.starts,
    fileLengths: contents.lengths,
    contents: contents.bytes,
  };
}

/** @returns all parts one behind the other, and where each begins, from 1 */
function inOne(parts: readonly Buffer[]): { bytes: Buffer; starts: number[]; lengths: number[] } {
  const lengths = parts.map(({ length }) => length);
  let next = 1;
  const starts = lengths.map((length) => (next += length) - length);
  const [only] = parts;
  return { bytes: parts.length === 1 && only !== undefined ? only : Buffer.concat(parts), starts, lengths };
}
