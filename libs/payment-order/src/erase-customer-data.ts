import { stringify } from 'lossless-json';
import {
  type Conditions,
  consentTransitions,
  paymentOrderTransitions,
  finalStates,
  parseStoredJson,
  settledStates,
  sqlList,
} from '#libs/obie-rules';
import {
  firstPlace,
  lockedRowByKey,
  type PageOutcome,
  type Place,
  rowByKey,
  type StatementRunner,
} from '#libs/persistence';

/** The consent is finished: it was rejected, or all its payments are final. No difference is open. */
const isOver = `
  consent.erased_at IS NULL
  AND NOT EXISTS (SELECT FROM ${rowByKey('reconciliations', 'consent_id = consent.consent_id')} AS known
                   WHERE known.differences IS NOT NULL AND known.acknowledged_at IS NULL)
  AND consent.status IN (${sqlList(finalStates(consentTransitions))})
  AND (consent.status = 'Rejected' OR (
    SELECT payment.status IN (${sqlList(finalStates(paymentOrderTransitions))}) AND (
             SELECT item.payment_id FROM payments AS item
              WHERE item.payment_order_id = payment.payment_order_id
                AND item.status NOT IN (${sqlList(settledStates)}) LIMIT 1) IS NULL
      FROM payment_orders AS payment WHERE payment.consent_id = consent.consent_id))`;

/** Members of Initiation, of any kind of consent, without personal data. All others are erased. */
const keptMembersOfInitiation = [
  'ControlSum',
  'FileHash',
  'FileReference',
  'FileType',
  'InstructedAmount',
  'InstructionIdentification',
  'LocalInstrument',
  'NumberOfTransactions',
  'RequestedExecutionDateTime',
];

/** The same beside Initiation. */
const keptConditions = ['Authorisation', 'ReadRefundAccount'];

/** The same of Risk. */
const keptMembersOfRisk = [
  'BeneficiaryAccountType',
  'BeneficiaryPaymentDetailsPrepopulatedIndicator',
  'BeneficiaryPrepopulatedIndicator',
  'CategoryPurposeCode',
  'ContractPresentIndicator',
  'ContractPresentInidicator',
  'MerchantCategoryCode',
  'PaymentContextCode',
  'PaymentPurposeCode',
];

/**
 * Keeps the record of what was authorised and paid: ids, hashes, totals, amounts, types, states and their times, the
 * bank's id of each approver. $1 consents, $2 their Initiation, $4 their Risk and $5 their conditions without what is
 * erased, $3 now
 */
const eraseSql = `
  WITH rest AS MATERIALIZED (
    SELECT given.* FROM unnest($1::uuid[], $2::text[], $4::text[], $5::text[])
        AS given (consent_id, initiation, risk, conditions)
     CROSS JOIN ${lockedRowByKey('payment_consents', 'consent_id = given.consent_id')} AS consent WHERE ${isOver}),
  chosen AS (
    UPDATE payment_consents AS consent SET erased_at = $3, debtor_account = NULL, initiation = rest.initiation,
      risk = rest.risk, conditions = rest.conditions::json
      FROM rest WHERE consent.consent_id = rest.consent_id RETURNING consent.consent_id),
  files AS (
    UPDATE payment_files AS file SET content = '', erased_at = $3 FROM chosen
     WHERE file.consent_id = chosen.consent_id AND file.erased_at IS NULL),
  lists AS (
    UPDATE instruction_lists AS list SET instructions = '', erased_at = $3 FROM chosen
     WHERE list.consent_id = chosen.consent_id AND list.erased_at IS NULL),
  items AS (
    UPDATE payments AS item
       SET status_detail = (
         SELECT json_object_agg(key, value) FROM json_each(item.status_detail::json)
           WHERE key <> 'StatusReasonDescription')
      FROM chosen CROSS JOIN ${rowByKey('payment_orders', 'consent_id = chosen.consent_id')} AS payment
     WHERE item.payment_order_id = payment.payment_order_id AND item.status_detail IS NOT NULL)
  SELECT count(*)::int AS erased FROM chosen`;

interface Candidate extends Record<string, unknown> {
  consent_id: string;
  initiation: string;
  risk: string | null;
  conditions: Conditions;
}

/**
 * Erases personal data from finished consents that ended before a given time, and from their files and payments.
 * @param limit page size: consents that are not finished are checked each time, and must not slow down the statement
 * @param after end of the previous page
 */
export async function eraseOldCustomerData(
  runner: StatementRunner,
  { endedBefore, limit, now }: { endedBefore: Date; limit: number; now: Date },
  after: Place = firstPlace,
): Promise<PageOutcome> {
  const { rows } = await runner.query<Candidate & { at: string; is_over: boolean }>(
    'find-old-customer-data',
    `SELECT consent.consent_id, consent.initiation, consent.risk, consent.conditions,
            consent.status_updated_at::text AS at, ${isOver} AS is_over
       FROM (SELECT * FROM payment_consents
              WHERE erased_at IS NULL AND status IN (${sqlList(finalStates(consentTransitions))})
                AND status_updated_at < $1
                AND status_updated_at >= $3::text::timestamptz AND (status_updated_at,
                  consent_id) > ($3::text::timestamptz, $4::uuid)
              ORDER BY status_updated_at, consent_id LIMIT $2) AS consent
      ORDER BY consent.status_updated_at, consent.consent_id`,
    [endedBefore, limit, after.at, after.id],
  );
  const over = rows.filter((row) => row.is_over);
  const last = rows.length < limit ? undefined : rows.at(-1);
  return { changed: await erase(runner, over, now), next: last && { at: last.at, id: last.consent_id } };
}

/**
 * Erases the same data of one finished consent, however recently it ended.
 * @returns whether it was erased now
 */
export async function eraseCustomerData(
  runner: StatementRunner,
  { consentId, now }: { consentId: string; now: Date },
): Promise<boolean> {
  const { rows } = await runner.query<Candidate>(
    'find-customer-data',
    `SELECT consent.consent_id, consent.initiation, consent.risk, consent.conditions FROM payment_consents AS consent
      WHERE ${isOver} AND consent.consent_id = $1`,
    [consentId],
  );
  return (await erase(runner, rows, now)) === 1;
}

async function erase(runner: StatementRunner, candidates: readonly Candidate[], now: Date): Promise<number> {
  if (candidates.length === 0) return 0;
  const ids = candidates.map(({ consent_id: consentId }) => consentId);
  const rest = candidates.map(({ initiation }) => withoutCustomer(parsed(initiation), keptMembersOfInitiation));
  const risks = candidates.map(({ risk }) => risk && withoutCustomer(parsed(risk), keptMembersOfRisk));
  const conditions = candidates.map((candidate) => withoutCustomer(candidate.conditions, keptConditions));
  const parameters = [ids, rest, now, risks, conditions];
  const { rows } = await runner.query<{ erased: number }>('erase-customer-data', eraseSql, parameters);
  return rows[0]?.erased ?? 0;
}

function parsed(text: string): object {
  return parseStoredJson(Buffer.from(text)) as object;
}

/** PostgreSQL's JSON functions refuse texts with a NUL character, which may occur here. */
function withoutCustomer(members: object, kept: readonly string[]): string {
  return stringify(Object.fromEntries(Object.entries(members).filter(([name]) => kept.includes(name)))) ?? '{}';
}
