/** One key of several, so that keys can be changed: the first one writes, all of them read. */
export interface NamedKey {
  /** letters, digits, hyphens and underscores */
  readonly id: string;
  readonly key: Buffer;
}

/** @throws TypeError if there is none; loadConfig has refused such a configuration */
export function currentKey(keys: readonly NamedKey[]): NamedKey {
  const [current] = keys;
  if (current === undefined) throw new TypeError('The list of keys is empty.');
  return current;
}
