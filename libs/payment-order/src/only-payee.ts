import { rowByKey } from '#libs/persistence';
import { parseInstructionList } from './instruction-list.js';

const key = 'consent_id = consent.consent_id AND consent.number_of_transactions = 1';

/** Part of FROM, behind `consent`: the list of an only payment, as `list`. */
export const listOfOne = `LEFT JOIN ${rowByKey('instruction_lists', key)} AS list ON true`;

/**
 * @returns the payee of the only payment; undefined if there are several, or if the list was erased or cannot be read
 */
export function payeeIn({
  numberOfPayments,
  instructions,
}: {
  numberOfPayments: number;
  instructions: string | null;
}): string | undefined {
  // A list of several is not read: it may have megabytes.
  if (numberOfPayments !== 1 || !instructions) return undefined;
  try {
    return parseInstructionList(instructions).payments[0]?.payeeName;
  } catch {
    // A newer program wrote it, or it cannot be read. The payment's own page says so.
    return undefined;
  }
}
