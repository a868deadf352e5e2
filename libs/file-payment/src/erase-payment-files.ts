import type { StatementRunner } from '#libs/persistence';

/** Nothing more can come of the file: its consent was rejected, or every payment of it is final. */
const isOver = `(
  consent.status = 'Rejected'
  OR EXISTS (
    SELECT FROM file_payments AS payment
     WHERE payment.consent_id = consent.consent_id AND payment.status <> 'InitiationPending'
       AND NOT EXISTS (
         SELECT FROM payments AS item
          WHERE item.file_payment_id = payment.file_payment_id
            AND item.status IN ('Pending', 'AcceptedSettlementInProcess'))))`;

/**
 * Erases the content of files that are older than their retention time and of which nothing more can come. Totals, ids
 * and states stay.
 * @param uploadedBefore end of the time whose files are erased
 * @param limit at most so many at once
 * @returns how many were erased
 */
export async function eraseOldPaymentFiles(
  runner: StatementRunner,
  { uploadedBefore, limit, now }: { uploadedBefore: Date; limit: number; now: Date },
): Promise<number> {
  const { rowCount } = await runner.query(
    'erase-old-payment-files',
    `UPDATE payment_files SET content = '', erased_at = $1 WHERE consent_id IN (
       SELECT file.consent_id FROM payment_files AS file JOIN file_payment_consents AS consent USING (consent_id)
        WHERE file.erased_at IS NULL AND file.uploaded_at < $2 AND ${isOver} LIMIT $3)`,
    [now, uploadedBefore, limit],
  );
  return rowCount ?? 0;
}

/**
 * Erases the content of one file, whatever its age, if nothing more can come of it.
 * @returns whether it was erased now
 */
export async function erasePaymentFile(
  runner: StatementRunner,
  { consentId, now }: { consentId: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await runner.query(
    'erase-payment-file',
    `UPDATE payment_files AS file SET content = '', erased_at = $1 FROM file_payment_consents AS consent
      WHERE file.consent_id = $2 AND consent.consent_id = file.consent_id AND file.erased_at IS NULL AND ${isOver}`,
    [now, consentId],
  );
  return rowCount === 1;
}
