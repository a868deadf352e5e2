import { rowByKey } from '#libs/persistence';
import { parseInstructionList } from './instruction-list.js';

const key = 'consent_id = consent.consent_id AND consent.number_of_transactions = 1';

/** Part of FROM, behind `consent`: the list of an only payment, as `list`. */
export const listOfOne = `LEFT JOIN ${rowByKey('instruction_lists', key)} AS list ON true`;

/** @returns to whom the only payment goes; undefined if there are several, or if it is erased or cannot be read */
export function payeeIn({
  numberOfPayments,
  instructions,
}: {
  numberOfPayments: number;
  instructions: string | null;
}): string | undefined {
  // Several are not read: they may be megabytes.
  if (numberOfPayments !== 1 || !instructions) return undefined;
  try {
    return parseInstructionList(instructions).payments[0]?.payeeName;
  } catch {
    // What a newer program wrote, or nobody can read: its own page says so, not every list that it is in.
    return undefined;
  }
}
