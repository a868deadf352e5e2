import type { ShownCluster } from '../pages/page-models.js';
import type { MessageKey } from '../wording/en.js';
import type { Words } from '../wording/words.js';

/** What the scopes mean to the PSU if no payment is involved. */
const meanings: Readonly<Record<string, MessageKey>> = {
  openid: 'permission.openid',
  accounts: 'permission.accounts',
  fundsconfirmations: 'permission.fundsconfirmations',
};

/** @returns one line for each scope */
export function describePermissions(words: Words, scope: readonly string[]): ShownCluster[] {
  return scope.map((word) => {
    const meaning = meanings[word];
    return { title: meaning === undefined ? word : words.text(meaning), texts: [] };
  });
}
