/**
 * Part of WITH: stores the instruction lists of consents, with the statement that makes or approves them.
 * @param source relation of the same statement, with the column consent_id, one row for each consent
 * @param list SQL of the text of the list and of its amounts
 */
export function listPayments(
  source: string,
  { instructions, amounts }: { readonly instructions: string; readonly amounts: string },
): string {
  return `
    INSERT INTO instruction_lists (consent_id, instructions, amounts)
    SELECT consent_id, ${instructions}, ${amounts} FROM ${source}`;
}
