import type { Pool } from 'pg';
import type { NamedPayee, PayeeAccount } from '#libs/bank';
import { ok, type BankAnswer } from './bank-answer.js';

/** This bank's answers by the beginning of the account number, so that each answer can be tried (README). */
const fates: Readonly<Record<string, { match: 'NoMatch' | 'CloseMatch' | 'Unavailable' | 'Match'; isNew?: true }>> = {
  661: { match: 'NoMatch' },
  662: { match: 'CloseMatch' },
  663: { match: 'Unavailable' },
  664: { match: 'Match', isNew: true },
  665: { match: 'NoMatch', isNew: true },
};

/** Sort code and account number are the last 14 digits of a British IBAN. */
function fateOf({ identification }: { identification: string }) {
  return fates[identification.slice(-8, -5)];
}

/** @returns the answers of the payees' banks on their names (confirmation of payee) */
export function checkPayeeNames({ payees }: { payees: readonly NamedPayee[] }): BankAnswer {
  return ok({ results: payees.map(checkName) });
}

const checkedSchemes = ['UK.OBIE.SortCodeAccountNumber', 'UK.OBIE.IBAN'];

function checkName(payee: NamedPayee): { match: string; name?: string } {
  if (!checkedSchemes.includes(payee.schemeName)) return { match: 'Unavailable' };
  const { match = 'Match' } = fateOf(payee) ?? {};
  return match === 'CloseMatch' ? { match, name: similarName(payee.name) } : { match };
}

function similarName(name: string): string {
  const longer = name.replace(/\bLtd\b\.?/i, 'Limited');
  return (longer === name ? `${name} Limited` : longer).slice(0, 140);
}

/**
 * @returns which payees a customer has paid before: all but those that {@link fates} marks as new, unless an account of
 * the customer has paid them
 */
export async function findKnownPayees(
  pool: Pool,
  { psuId, payees }: { psuId: string; payees: readonly PayeeAccount[] },
): Promise<BankAnswer> {
  const { rows } = await pool.query<{ is_paid: boolean }>(
    `SELECT EXISTS (
       SELECT FROM payments
         JOIN payment_batches ON idempotency_key = batch_key
         JOIN account_holders USING (scheme_name, identification)
       WHERE psu_id = $1 AND instruction->'creditorAccount' @> jsonb_strip_nulls(jsonb_build_object(
         'schemeName', payee.scheme, 'identification', payee.number, 'secondaryIdentification', payee.roll))
     ) AS is_paid
     FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS payee (scheme, number, roll, place)
     ORDER BY place`,
    [
      psuId,
      payees.map(({ schemeName }) => schemeName),
      payees.map(({ identification }) => identification),
      payees.map(({ secondaryIdentification }) => secondaryIdentification ?? null),
    ],
  );
  return ok({ known: payees.map((payee, place) => fateOf(payee)?.isNew !== true || rows[place]?.is_paid === true) });
}
