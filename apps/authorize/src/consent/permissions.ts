/** What the scopes mean where no payment is involved, in the PSU's words. */
const meanings: Readonly<Record<string, string>> = {
  openid: 'recognise you when you come back, by a number that means nothing elsewhere',
  accounts: 'ask you later for access to your accounts',
  fundsconfirmations: 'ask you later to confirm that money is available',
};

/** @returns one line for each scope */
export function describePermissions(scope: readonly string[]): string[] {
  return scope.map((word) => meanings[word] ?? word);
}
