/** @returns whether a conditional UPDATE found its row as it had to be */
export function changesOne({ rowCount }: { readonly rowCount: number | null }): boolean {
  return rowCount === 1;
}
