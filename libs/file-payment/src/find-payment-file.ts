import type { QueryResultRow } from 'pg';
import { ConsentError } from '#libs/consent';
import type { StatementRunner } from '#libs/persistence';
import type { PaymentFileEntity } from './payment-file.entity.js';

/** $1 consent: the length of its file, which PostgreSQL knows without reading the file */
const findLengthSql = `SELECT octet_length(content) AS length FROM payment_files WHERE consent_id = $1::uuid`;

/** $1 consent: its file */
const findFileSql = `
  SELECT consent_id AS "consentId", content, uploaded_at AS "uploadedAt", erased_at AS "erasedAt"
    FROM payment_files WHERE consent_id = $1::uuid`;

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
  if (rows[0] === undefined) throw new ConsentError('FileNotUploaded', 'No file has been uploaded to the consent.');
  return rows[0];
}
