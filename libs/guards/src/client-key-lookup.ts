import type { VerificationKey } from '#libs/jws';

/** Port: what the signature guard needs of the directory. */
export abstract class ClientKeyLookup {
  /**
   * @param jwksUri address of the client's key set, from its verified software statement
   * @param kid as the signature's header names it
   * @returns the signing keys with just this kid; none when the set, read again if it is not fresh, has no such key
   */
  abstract findSigningKeys(jwksUri: string, kid: string): Promise<readonly VerificationKey[]>;
}
