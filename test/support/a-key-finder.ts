import type { KeyObject } from 'node:crypto';
import { findVerificationKeys, parseKeySet, type AsymmetricAlgorithm, type VerificationKey } from '#libs/jws';

/** A public key as a client's key set lists it. */
interface ListedKey {
  kid?: string;
  use?: string;
  key: KeyObject;
}

/** Finds keys as the service does in the key set of a client: by algorithm, kid and use. */
export async function aKeyFinder(
  ...entries: ListedKey[]
): Promise<
  (client: unknown, query: { algorithm: AsymmetricAlgorithm; kid?: string }) => Promise<readonly VerificationKey[]>
> {
  const keys = entries.map(({ key, ...members }) => ({ ...key.export({ format: 'jwk' }), ...members }));
  const set = await parseKeySet({ keys }, { maxKeys: 100 });
  return (_client, query) => findVerificationKeys(set, query);
}
