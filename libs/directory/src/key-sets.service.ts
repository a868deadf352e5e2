import { Injectable, Logger } from '@nestjs/common';
import { Clock, Config } from '#libs/config';
import type { TrustedDirectory } from '#libs/http-server';
import type { ClientKeyLookup } from '#libs/guards';
import { findVerificationKeys, type AsymmetricAlgorithm, type KeySet, type VerificationKey } from '#libs/jws';
import { Directories } from './directories.service.js';
import { fetchKeySet } from './fetch-key-set.js';
import { verifyKeySetAddress } from './key-set-address.js';
import { KeySetCache } from './key-set-cache.js';
import { RevokedKeys, revokedKeysPatience } from './revoked-keys.js';

const second = 1_000;
const hour = 3_600 * second;

const limits = {
  freshFor: 600 * second,
  reloadCooldown: 30 * second,
  failureCooldown: 5 * second,
  patience: 250,
  maxAddresses: 2_000,
};

/** Maximum size of key sets, and of sets of revoked keys, which grow over the years. */
const sizes = { keys: { maxBytes: 262_144, maxKeys: 100 }, revoked: { maxBytes: 1_048_576, maxKeys: 1_000 } };

/** A TPP keeps working through an outage of the directory's key store of up to a day. */
const clientKeysUsableFor = 24 * hour;
/** The directory's own keys decide who may register, so they are trusted no longer than this. */
const directoryKeysUsableFor = hour;

export interface VerificationKeyQuery {
  algorithm: AsymmetricAlgorithm;
  /** from the header of the JWS; without it up to ten candidates are found */
  kid?: string | undefined;
}

/** The address of a client's keys, from its verified software statement. */
export interface ClientKeySource {
  /** `software_jwks_endpoint` */
  jwksUri: string;
  /** `software_jwks_revoked_endpoint` */
  jwksRevokedUri?: string | undefined;
}

/** The signing keys of TPPs and directories, fetched from their key stores and cached. */
@Injectable()
export class KeySets implements ClientKeyLookup {
  readonly #cache: KeySetCache;
  readonly #revokedKeys: RevokedKeys;
  readonly #logger = new Logger('KeySets');

  constructor(
    private readonly config: Config,
    clock: Clock,
    private readonly directories: Directories,
  ) {
    const now = (): number => clock.now().getTime();
    this.#cache = new KeySetCache((uri) => this.#fetch(uri, sizes.keys), limits, now);
    this.#revokedKeys = new RevokedKeys(
      (uri) => this.#fetch(uri, sizes.revoked),
      config.directory.revokedKeysSeconds,
      now,
      (uri, error) => this.#logger.warn({ message: 'The set of revoked keys cannot be read.', uri, error }),
    );
  }

  /**
   * @param client the owner of the keys
   * @param query.isRegistration whether there is time to wait for a set that was never fetched
   * @returns keys of a client with `use` sig that fit the algorithm, if any
   * @throws KeySetError if the set is unavailable
   */
  async findClientKeys(
    client: ClientKeySource,
    { isRegistration = false, ...query }: VerificationKeyQuery & { isRegistration?: boolean },
  ): Promise<readonly VerificationKey[]> {
    const keys = await this.#find(client.jwksUri, query, clientKeysUsableFor);
    return this.#withoutRevoked(keys, client, revokedKeysPatience[isRegistration ? 'registration' : 'request']);
  }

  /**
   * @returns keys of a directory, which sign its software statements
   * @throws KeySetError if the set is unavailable
   */
  async findDirectoryKeys(
    { jwksUri }: Pick<TrustedDirectory, 'jwksUri'>,
    query: VerificationKeyQuery,
  ): Promise<readonly VerificationKey[]> {
    return this.#find(jwksUri, query, directoryKeysUsableFor);
  }

  /**
   * @param jwksUri key set of a software or an organisation
   * @param thumbprint `x5t#S256` of a verified certificate
   * @returns whether the directory publishes just this certificate there, for transport
   * @throws KeySetError if the set is unavailable
   */
  async isListed(jwksUri: string, thumbprint: string): Promise<boolean> {
    const found = await this.#cache.find({
      uri: jwksUri,
      find: ({ transportCertificates }) => (transportCertificates?.has(thumbprint) ? [thumbprint] : []),
      usableFor: clientKeysUsableFor,
    });
    return found.length > 0;
  }

  /** Removes a client's key set from the cache. */
  forget(jwksUri: string): void {
    this.#cache.forget(jwksUri);
  }

  #withoutRevoked(
    keys: readonly VerificationKey[],
    { jwksRevokedUri: uri }: ClientKeySource,
    patience: number,
  ): readonly VerificationKey[] | Promise<readonly VerificationKey[]> {
    const isOff = uri === undefined || this.config.directory.revokedKeysSeconds === 0;
    return isOff ? keys : this.#revokedKeys.without(keys, { uri, patience });
  }

  #find(uri: string, { algorithm, kid }: VerificationKeyQuery, usableFor: number): Promise<readonly VerificationKey[]> {
    return this.#cache.find({
      uri,
      find: (keySet) => findVerificationKeys(keySet, { algorithm, kid }),
      usableFor,
    });
  }

  async #fetch(uri: string, size: { maxBytes: number; maxKeys: number }): Promise<KeySet> {
    const { directory, egress } = this.config;
    const { allowPrivateAddresses } = directory;
    const url = verifyKeySetAddress(uri, { keyHosts: this.directories.keyHosts, allowPrivateAddresses });
    return fetchKeySet(url, {
      ca: this.directories.caOf(url.host),
      proxyUrl: egress.proxyUrl,
      allowPrivateAddresses,
      timeoutMilliseconds: 5_000,
      ...size,
    });
  }
}
