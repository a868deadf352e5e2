import type { Pool, PoolClient } from 'pg';
import type { BankPayment } from '#libs/bank';
import { findReachFault, limitsOfSchemes, type LocalInstrument, parseAmount } from '#libs/obie-rules';
import { ok, refusal, type BankAnswer } from './bank-answer.js';
import { passFence } from './payment-batches.js';
import { inTransaction } from './in-transaction.js';
import { parsePence } from './money.js';
import { type AcceptedPayment, type PaymentOutcome, paymentOutcome } from './payment-outcome.js';
import { requestHash } from './request-hash.js';

/** One payment as the service hands it over; it is stored unchanged. */
type PaymentRequest = BankPayment & { readonly localInstrument: LocalInstrument };

type PaymentRow = Pick<AcceptedPayment, 'localInstrument' | 'acceptedAt' | 'isRefused'> & {
  requestHash: Buffer;
  pence: string;
  requestedExecutionDate: string | null;
  /** by how much the TPP's time was advanced since */
  passedMilliseconds: string;
};

const paymentColumns = `request_hash AS "requestHash", pence, local_instrument AS "localInstrument",
  requested_execution_date AS "requestedExecutionDate", accepted_at AS "acceptedAt",
  passed_milliseconds AS "passedMilliseconds", is_refused AS "isRefused"`;

/**
 * Accepts one payment of a file whose funds are reserved. A known payment is answered with its state.
 * @param key the payment's id
 * @param isRefused the scheme is to reject it, whatever its amount
 * @param attempt number of the service's attempt at the file payment
 */
export async function handOverPayment(
  pool: Pool,
  key: string,
  payment: PaymentRequest,
  { now, isRefused, attempt }: { now: Date; isRefused: boolean; attempt: number },
): Promise<BankAnswer> {
  const pence = parsePence(payment.amount);
  if (key !== payment.paymentId) return refusal(400, 'IdempotencyKeyMismatch');
  if (pence === undefined || payment.currency !== 'GBP') return refusal(400, 'InvalidAmount');
  if (isBeyondScheme(payment)) return refusal(422, 'BeyondScheme');
  const hash = requestHash(payment);
  return inTransaction(pool, async (client) => {
    if (!(await passFence(client, payment.filePaymentId, attempt))) return refusal(409, 'StaleAttempt');
    // The lock on the batch serialises the payments of one file, so that none is paid twice.
    const { rows } = await client.query<{ remaining_pence: string }>(
      `SELECT remaining_pence FROM payment_batches
       WHERE idempotency_key = $1 AND scheme_name = $2 AND identification = $3 FOR UPDATE`,
      [payment.filePaymentId, payment.debtorAccount.schemeName, payment.debtorAccount.identification],
    );
    const known = await findRow(client, key);
    if (known) return known.requestHash.equals(hash) ? toAnswer(known, now) : refusal(409, 'IdempotencyKeyReused');
    if (BigInt(rows[0]?.remaining_pence ?? 0) < pence) return refusal(422, 'NoReservation');
    return accept(client, { payment, pence, hash, now, isRefused });
  });
}

/** @returns whether the scheme cannot carry the amount, or cannot reach the account */
function isBeyondScheme({ localInstrument, amount, creditorAccount }: PaymentRequest): boolean {
  const most = limitsOfSchemes[localInstrument];
  const { schemeName: SchemeName, identification: Identification } = creditorAccount;
  return (
    (most !== undefined && (parseAmount(amount) ?? 0n) > most) ||
    findReachFault({ SchemeName, Identification }, localInstrument) !== undefined
  );
}

/** @returns where a payment is now */
export async function findPayment(pool: Pool, paymentId: string, now: Date): Promise<BankAnswer> {
  const row = await findRow(pool, paymentId);
  return row ? toAnswer(row, now) : refusal(404, 'NotFound');
}

/** @returns all payments of a file that the bank has, up to the limit of one answer */
export async function findPaymentsOfFile(pool: Pool, filePaymentId: string, now: Date): Promise<BankAnswer> {
  // Payments first: one that arrives in between has a batch by then.
  const payments = await pool.query<PaymentRow & { payment_id: string; amount: string; currency: string }>(
    `SELECT payment_id, instruction ->> 'amount' AS amount, instruction ->> 'currency' AS currency, ${paymentColumns}
     FROM payments WHERE batch_key = $1 ORDER BY payment_id LIMIT 200`,
    [filePaymentId],
  );
  const batches = await pool.query<{ decision: string }>(
    'SELECT decision FROM payment_batches WHERE idempotency_key = $1',
    [filePaymentId],
  );
  return ok({
    decision: batches.rows[0]?.decision ?? 'Unknown',
    payments: payments.rows.map((row) => ({
      paymentId: row.payment_id,
      amount: row.amount,
      currency: row.currency,
      ...outcomeOf(row, now),
    })),
  });
}

/** @returns payments whose state differs from the one last reported to the service, at most 100 */
export async function findUnreported(pool: Pool, now: Date): Promise<(PaymentOutcome & { paymentId: string })[]> {
  const { rows } = await pool.query<PaymentRow & { payment_id: string; reported_status: string }>(
    `SELECT payment_id, reported_status, ${paymentColumns} FROM payments
     WHERE reported_status IN ('Pending', 'AcceptedSettlementInProcess') ORDER BY accepted_at LIMIT 1000`,
  );
  return rows
    .map((row) => ({ row, outcome: outcomeOf(row, now) }))
    .filter(({ row, outcome }) => outcome.status !== row.reported_status)
    .slice(0, 100)
    .map(({ row, outcome }) => ({ paymentId: row.payment_id, ...outcome }));
}

/** Stores what the service has been told. */
export async function noteReported(
  pool: Pool,
  payments: readonly (PaymentOutcome & { paymentId: string })[],
): Promise<void> {
  await pool.query(
    `UPDATE payments SET reported_status = told.status
     FROM unnest($1::text[], $2::text[]) AS told (payment_id, status) WHERE payments.payment_id = told.payment_id`,
    [payments.map(({ paymentId }) => paymentId), payments.map(({ status }) => status)],
  );
}

async function accept(
  client: PoolClient,
  {
    payment,
    pence,
    hash,
    now,
    isRefused,
  }: { payment: PaymentRequest; pence: bigint; hash: Buffer; now: Date; isRefused: boolean },
): Promise<BankAnswer> {
  const row = {
    requestHash: hash,
    pence: String(pence),
    localInstrument: payment.localInstrument,
    requestedExecutionDate: payment.requestedExecutionDate ?? null,
    acceptedAt: now,
    passedMilliseconds: '0',
    isRefused,
  };
  // The answer is the first report; the reporter sends later ones.
  const { status } = outcomeOf(row, now);
  await client.query(
    `INSERT INTO payments (payment_id, batch_key, instruction, request_hash, pence, local_instrument,
       requested_execution_date, accepted_at, passed_milliseconds, is_refused, reported_status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      payment.paymentId,
      payment.filePaymentId,
      JSON.stringify(payment),
      row.requestHash,
      row.pence,
      row.localInstrument,
      row.requestedExecutionDate,
      row.acceptedAt,
      row.passedMilliseconds,
      row.isRefused,
      status,
    ],
  );
  const answer = toAnswer(row, now);
  // Either way the amount is no longer reserved; a rejected payment leaves it in the account.
  const debited = status === 'Rejected' ? 0n : pence;
  await client.query('UPDATE payment_batches SET remaining_pence = remaining_pence - $2 WHERE idempotency_key = $1', [
    payment.filePaymentId,
    pence,
  ]);
  await client.query(
    `UPDATE accounts SET reserved_pence = reserved_pence - $3, balance_pence = balance_pence - $4
     WHERE scheme_name = $1 AND identification = $2`,
    [payment.debtorAccount.schemeName, payment.debtorAccount.identification, pence, debited],
  );
  return answer;
}

async function findRow(runner: Pool | PoolClient, paymentId: string): Promise<PaymentRow | undefined> {
  const { rows } = await runner.query<PaymentRow>(`SELECT ${paymentColumns} FROM payments WHERE payment_id = $1`, [
    paymentId,
  ]);
  return rows[0];
}

function outcomeOf(row: PaymentRow, now: Date): ReturnType<typeof paymentOutcome> {
  const { requestHash: _, pence, requestedExecutionDate, passedMilliseconds, ...accepted } = row;
  return paymentOutcome(
    {
      ...accepted,
      pence: BigInt(pence),
      requestedExecutionDate: requestedExecutionDate ?? undefined,
      dayMilliseconds: settlementDayMilliseconds(),
    },
    new Date(now.getTime() + Number(passedMilliseconds)),
  );
}

/** A day of the schemes lasts a second, or as long as the sandbox's settings say. */
function settlementDayMilliseconds(): number {
  const text = process.env['SANDBOX_SETTLEMENT_DAY_MILLISECONDS'] ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : 1_000;
}

const toAnswer = (row: PaymentRow, now: Date): BankAnswer => ok(outcomeOf(row, now));
