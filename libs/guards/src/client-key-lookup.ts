import type { AsymmetricAlgorithm, VerificationKey } from '#libs/jws';

/** Port: what the signature guard needs of the directory. */
export abstract class ClientKeyLookup {
  /**
   * @param client where the client's keys are, by its verified software statement
   * @param query as the signature's header names them
   * @returns the signing keys with just this kid, fit for the algorithm; none when the set, read again if it is not fresh, has no such key
   */
  abstract findClientKeys(
    client: { jwksUri: string; jwksRevokedUri?: string | undefined },
    query: { kid: string; algorithm: AsymmetricAlgorithm },
  ): Promise<readonly VerificationKey[]>;
}
