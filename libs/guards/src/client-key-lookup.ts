import type { VerificationKey } from '#libs/jws';

/** Port: what the signature guard needs of the directory. */
export abstract class ClientKeyLookup {
  /**
   * @param client where the client's keys are, by its verified software statement
   * @param kid as the signature's header names it
   * @returns the signing keys with just this kid; none when the set, read again if it is not fresh, has no such key
   */
  abstract findSigningKeys(
    client: { jwksUri: string; jwksRevokedUri?: string | undefined },
    kid: string,
  ): Promise<readonly VerificationKey[]>;
}
