import type { AsymmetricAlgorithm, VerificationKey } from '#libs/jws';

/** Port: what the signature guard needs of the directory. */
export abstract class ClientKeyLookup {
  /**
   * @param client where the client's keys are, by its verified software statement
   * @param query as the signature's header names them
   * @returns the signing keys with exactly this kid that fit the algorithm; empty if the set, read again if it is not
   * fresh, has none
   */
  abstract findClientKeys(
    client: { jwksUri: string; jwksRevokedUri?: string | undefined },
    query: { kid: string; algorithm: AsymmetricAlgorithm },
  ): Promise<readonly VerificationKey[]>;
}
