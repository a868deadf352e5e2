import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/config';
import { paymentStep, settledStates, sqlList } from '#libs/obie-rules';
import { Database, rowByKey, statement } from '#libs/persistence';
import { type NotedResults, noteResults, type PaymentResult, resultNames, resultValues } from './payment-result.js';

/** The bank's report on payments, with the id by which it counts only once. */
export interface PaymentReport {
  readonly issuer: string;
  readonly jti: string;
  readonly expiresAt: Date;
  readonly results: readonly PaymentResult[];
}

/** The outcome of a report. */
export interface NotedReport {
  /** number of payments whose state was recorded; final ones and those of a repeated report do not count */
  readonly noted: number;
  /** unknown PaymentIds */
  readonly unknown: readonly string[];
  /**
   * PaymentIds of payments that are Rejected here and made at the bank, or the reverse, and of payments that the bank
   * never received; they stay as they are
   */
  readonly conflicting: readonly string[];
}

/** SQL on `payments`: the bank has reserved the money of its file, so that it may have been handed over. */
const isReserved = `(
  SELECT batch_accepted_at FROM payment_orders AS file WHERE file.payment_order_id = payments.payment_order_id) IS NOT
    NULL`;
const givenPayment = `${rowByKey('payments', 'payment_id = given.payment_id')} AS payments`;
const isFinal = (column: string): string => `${column} IN (${sqlList(settledStates)})`;
const rejected = paymentStep('Pending', 'Rejected').to;

const noteReport = statement<NotedResults & Pick<PaymentReport, 'issuer' | 'jti' | 'expiresAt'>>(
  'note-payment-report',
  resultNames,
)`
  WITH redeemed AS (
    INSERT INTO used_jwt_ids (purpose, issuer, jti, expires_at) VALUES ('bank-callback', :issuer, :jti, :expiresAt)
    ON CONFLICT DO NOTHING RETURNING jti),
  ${noteResults({ condition: `EXISTS (SELECT FROM redeemed) AND ${isReserved}` })}
  SELECT (SELECT count(*) FROM noted)::int AS noted, ARRAY(
    SELECT given.payment_id FROM unnest(:paymentIds::text[]) AS given (payment_id) LEFT JOIN ${givenPayment} ON true
     WHERE payments.payment_id IS NULL) AS unknown,
  ARRAY(
    SELECT given.payment_id FROM unnest(:paymentIds::text[], :statuses::text[]) AS given (payment_id, status)
      CROSS JOIN ${givenPayment}
     WHERE CASE WHEN ${isFinal('payments.status')}
       THEN ${isFinal('given.status')} AND (payments.status = '${rejected}') <> (given.status = '${rejected}')
       ELSE NOT ${isReserved} END) AS conflicting`;

/** Seconds after a report until the bank is asked for news. */
const askedAfterSeconds = 60;

/** The bank's own reports of how payments ended. */
@Injectable()
export class PaymentReports {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * One statement: the report is redeemed and the states change, or nothing happens. Only payments of files whose money
   * the bank has reserved can change; a payment whose hand-over was not noted yet counts as handed over, since the bank
   * has it.
   */
  async note({ issuer, jti, expiresAt, results }: PaymentReport): Promise<NotedReport> {
    const values = {
      ...resultValues(results),
      now: this.clock.ofDatabase(),
      askedInSeconds: askedAfterSeconds,
      issuer,
      jti,
      expiresAt,
    };
    const { rows } = await this.database.query<NotedReport & { [column: string]: unknown }>(...noteReport.with(values));
    return rows[0] ?? { noted: 0, unknown: [], conflicting: [] };
  }
}
