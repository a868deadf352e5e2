import { Injectable } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { ClientKeyLookup } from '#libs/guards';
import { findVerificationKeys, type AsymmetricAlgorithm, type VerificationKey } from '#libs/jws';
import { fetchKeySet } from './fetch-key-set.js';
import { verifyKeySetAddress } from './key-set-address.js';
import { KeySetCache } from './key-set-cache.js';

const second = 1_000;
const hour = 3_600 * second;

const limits = {
  freshFor: 600 * second,
  reloadCooldown: 30 * second,
  failureCooldown: 5 * second,
  patience: 250,
  maxAddresses: 2_000,
};

/** A TPP keeps working through an outage of the directory's key store of up to a day. */
const clientKeysUsableFor = 24 * hour;
/** The directory's own keys decide who may register at all: they are not trusted for longer than this. */
const directoryKeysUsableFor = hour;

/** Which keys are wanted. */
export interface VerificationKeyQuery {
  algorithm: AsymmetricAlgorithm;
  /** from the header of the JWS; without it up to ten candidates are found */
  kid?: string | undefined;
}

/** The signing keys of TPPs and of the directory, fetched from its key stores and remembered. */
@Injectable()
export class KeySets implements ClientKeyLookup {
  readonly #config: Config;
  readonly #clock: Clock;
  readonly #cache: KeySetCache;

  constructor(config: Config, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#cache = new KeySetCache(
      (uri) => this.#fetch(uri),
      limits,
      () => clock.now().getTime(),
    );
  }

  /**
   * @param jwksUri `software_jwks_endpoint` of a verified software statement
   * @param kid exact, opaque
   * @returns keys with `use` sig and just this kid; none when there is no such key in a set read again for it
   * @throws KeySetError when the set cannot be had
   */
  async findSigningKeys(jwksUri: string, kid: string): Promise<readonly VerificationKey[]> {
    return this.#cache.find({
      uri: jwksUri,
      find: ({ keys }) => keys.filter((key) => key.use === 'sig' && key.kid === kid),
      usableFor: clientKeysUsableFor,
      now: this.#clock.now().getTime(),
    });
  }

  /**
   * @param jwksUri `software_jwks_endpoint` of a verified software statement
   * @returns keys of a client with `use` sig that fit the algorithm; none when there are none
   * @throws KeySetError when the set cannot be had
   */
  async findClientKeys(jwksUri: string, query: VerificationKeyQuery): Promise<readonly VerificationKey[]> {
    return this.#find(jwksUri, query, clientKeysUsableFor);
  }

  /**
   * @returns keys of the directory, which sign software statements
   * @throws KeySetError when the set cannot be had
   */
  async findDirectoryKeys(query: VerificationKeyQuery): Promise<readonly VerificationKey[]> {
    return this.#find(this.#config.directory.jwksUri, query, directoryKeysUsableFor);
  }

  /** Drops what is remembered of a client's key set. */
  forget(jwksUri: string): void {
    this.#cache.forget(jwksUri);
  }

  #find(uri: string, { algorithm, kid }: VerificationKeyQuery, usableFor: number): Promise<readonly VerificationKey[]> {
    return this.#cache.find({
      uri,
      find: (keySet) => findVerificationKeys(keySet, { algorithm, use: 'sig', ...(kid === undefined ? {} : { kid }) }),
      usableFor,
      now: this.#clock.now().getTime(),
    });
  }

  async #fetch(uri: string): ReturnType<typeof fetchKeySet> {
    const { directory, egress } = this.#config;
    // The directory's own address is configuration; its host need not be among those of TPPs' key sets.
    const keyHosts = [...directory.keyHosts, new URL(directory.jwksUri).host];
    const url = verifyKeySetAddress(uri, { keyHosts, allowPrivateAddresses: directory.allowPrivateAddresses });
    return fetchKeySet(url, {
      ca: directory.ca,
      proxyUrl: egress.proxyUrl,
      allowPrivateAddresses: directory.allowPrivateAddresses,
      timeoutMilliseconds: 5_000,
      maxBytes: 262_144,
      maxKeys: 100,
    });
  }
}
