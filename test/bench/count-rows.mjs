/**
 * Counts rows before and after a case: every answer must have left what it promised.
 * @param counts `[{ server, url, rows, perAnswer }]`: `rows` follows FROM; `perAnswer` rows per answer, default 1
 * @returns what to call at the end with the number of answers of each server
 */
export async function countRows(query, counts) {
  const count = async ({ url, rows }) => {
    const { rows: counted } = await query(url, `SELECT count(*) FROM ${rows}`);
    return Number(counted[0].count);
  };
  const before = await Promise.all(counts.map(count));
  return async ({ answers }) => {
    const after = await Promise.all(counts.map(count));
    for (const [index, { server, rows, perAnswer = 1 }] of counts.entries()) {
      const added = after[index] - before[index];
      if (added !== answers * perAnswer) {
        throw new Error(`${server} answered ${answers} times and left ${added} rows in ${rows}.`);
      }
    }
  };
}
