import type { QueryResultRow } from 'pg';
import { ConsentError } from '#libs/consent';
import type { StatementRunner } from '#libs/persistence';
import type { PaymentFileEntity } from './payment-file.entity.js';

/** $1 consent: the length of its file, which PostgreSQL knows without reading the file */
const findLengthSql = `SELECT octet_length(content) AS length FROM payment_files WHERE consent_id = $1::uuid`;

/** Bytes of a file in one row. */
const bytesOfPiece = 32_768;

/**
 * $1 consent: its file, a piece in each row. The driver takes a value as text in hexadecimal, in a buffer that grows by
 * doubling: a file in one value would need ten times its length. The file is read and unpacked once.
 */
const findFileSql = `
  WITH file AS MATERIALIZED (
    SELECT consent_id, content || ''::bytea AS content, uploaded_at, erased_at
      FROM payment_files WHERE consent_id = $1::uuid)
  SELECT consent_id AS "consentId", uploaded_at AS "uploadedAt", erased_at AS "erasedAt",
    substring(content FROM start FOR ${bytesOfPiece}) AS content
    FROM file CROSS JOIN LATERAL generate_series(1, greatest(octet_length(content), 1), ${bytesOfPiece}) AS start
   ORDER BY start`;

/**
 * @param hold called with the file's length in bytes before the file is read; throws if there is no room for it
 * @returns the file; its content may have been erased
 * @throws ConsentError FileNotUploaded; what `hold` throws
 */
export async function findPaymentFile(
  runner: StatementRunner,
  consentId: string,
  hold: (length: number) => void,
): Promise<PaymentFileEntity> {
  const { rows: lengths } = await runner.query<{ length: number }>('find-payment-file-length', findLengthSql, [
    consentId,
  ]);
  hold(lengths[0]?.length ?? 0);
  const { rows } = await runner.query<PaymentFileEntity & QueryResultRow>('find-payment-file', findFileSql, [
    consentId,
  ]);
  const [first] = rows;
  if (first === undefined) throw new ConsentError('FileNotUploaded', 'No file has been uploaded to the consent.');
  return { ...first, content: Buffer.concat(rows.map(({ content }) => content)) };
}
