import { X509Certificate } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  certificateThumbprint,
  createOcspRequest,
  parseRevocationList,
  revocationAddressesOf,
  verifyOcspResponse,
  type CertificateStatus,
  type IssuedBy,
  type RevocationList,
} from '#libs/certificates';
import { Clock, Config } from '#libs/config';
import { CertificateRevocation } from '#libs/guards';
import { Directories } from '../directories.service.js';
import { fetchDocument, type DocumentRequest } from '../fetch-document.js';
import { AnswerCache } from './answer-cache.js';

const second = 1_000;
const limits = { patience: 250, failureCooldown: 10 * second };
/** Lists can be large, but there is one for each authority; OCSP answers are small, one for each certificate. */
const maxLists = 100;
const maxStatuses = 5_000;
const timeoutMilliseconds = 3 * second;
const listMaxBytes = 4_194_304;
const ocspMaxBytes = 65_000;
const reportEvery = 60 * second;

/** One source of revocation data for a certificate. */
interface Source {
  /** what is known without fetching; undefined if it must be fetched */
  isRevokedNow: () => boolean | undefined;
  isResting: () => boolean;
  /** undefined if no answer is available */
  isRevoked: () => Promise<boolean | undefined>;
}

/**
 * Asks authorities whether they have revoked a certificate: their lists (RFC 5280 s5) and their OCSP responders (RFC
 * 6960), at addresses from verified certificates or the configuration. Answers are verified, cached for their own
 * period and renewed in the background.
 */
@Injectable()
export class RevocationChecks extends CertificateRevocation {
  readonly #lists: AnswerCache<RevocationList>;
  readonly #statuses: AnswerCache<CertificateStatus>;
  readonly #sources = new WeakMap<X509Certificate, readonly Source[]>();
  readonly #unknown = { taken: 0, refused: 0 };
  readonly #reportedAt = new LRUCache<string, number>({ max: maxLists });
  readonly #logger = new Logger('CertificateRevocation');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly directories: Directories,
  ) {
    super();
    const all = { ...limits, freshFor: config.revocation.cacheSeconds * second };
    const now = (): number => clock.now().getTime();
    const onFailure = (source: string, error: unknown): void =>
      this.#logger.warn({ message: 'A revocation list or an OCSP answer cannot be read.', source, error });
    this.#lists = new AnswerCache({ ...all, maxEntries: maxLists }, now, onFailure);
    this.#statuses = new AnswerCache({ ...all, maxEntries: maxStatuses }, now, onFailure);
  }

  /** @returns false for a revoked certificate, and in the mode `hard` for one with unknown status */
  override mayRelyOn(path: readonly X509Certificate[]): boolean | Promise<boolean> {
    if (this.config.revocation.mode === 'off') return true;
    // The trust anchor is configured, so nobody can revoke it.
    const pending: Promise<boolean>[] = [];
    for (const [index, certificate] of path.slice(0, -1).entries()) {
      const issuer = path[index + 1];
      const isGood = issuer === undefined ? false : this.#isGood({ certificate, issuer });
      if (isGood === false) return false;
      if (isGood !== true) pending.push(isGood);
    }
    return pending.length === 0 ? true : Promise.all(pending).then((all) => all.every(Boolean));
  }

  #isGood(of: IssuedBy): boolean | Promise<boolean> {
    const sources = this.#sourcesOf(of);
    for (const source of sources) {
      const isRevoked = source.isRevokedNow();
      if (isRevoked !== undefined) return !isRevoked;
    }
    const awake = sources.filter((source) => !source.isResting());
    return awake.length === 0 ? this.#isGoodUnknown(of) : this.#ask(awake, of);
  }

  async #ask(sources: readonly Source[], of: IssuedBy): Promise<boolean> {
    for (const source of sources) {
      const isRevoked = await source.isRevoked();
      if (isRevoked !== undefined) return !isRevoked;
    }
    return this.#isGoodUnknown(of);
  }

  /** The status is unknown: `soft` accepts the certificate and logs that; `hard` refuses it. */
  #isGoodUnknown(of: IssuedBy): boolean {
    const isTaken = this.config.revocation.mode === 'soft';
    this.#unknown[isTaken ? 'taken' : 'refused'] += 1;
    this.#reportUnknown(of, isTaken);
    return isTaken;
  }

  /** Uses of certificates with unknown status since the start of the process. */
  get unknown(): Readonly<{ taken: number; refused: number }> {
    return this.#unknown;
  }

  /**
   * At most one line a minute for each authority, with the counts so far: an outage must be visible without filling the
   * log.
   */
  #reportUnknown({ issuer }: IssuedBy, isTaken: boolean): void {
    const authority = certificateThumbprint(issuer);
    const now = this.clock.now().getTime();
    if (now - (this.#reportedAt.get(authority) ?? -Infinity) < reportEvery) return;
    this.#reportedAt.set(authority, now);
    this.#logger.warn({
      message: `The revocation status of certificates is unknown; they are ${isTaken ? 'taken' : 'refused'}.`,
      authority: issuer.subject.replaceAll('\n', ', '),
      ...this.#unknown,
    });
  }

  /** Read once from a certificate: a connection has the same object for every request. */
  #sourcesOf(of: IssuedBy): readonly Source[] {
    const known = this.#sources.get(of.certificate);
    if (known !== undefined) return known;
    const sources = this.#createSources(of);
    this.#sources.set(of.certificate, sources);
    return sources;
  }

  #createSources(of: IssuedBy): Source[] {
    const addresses = readAddresses(of.certificate);
    const { sources, lists } = this.config.revocation;
    const authority = certificateThumbprint(of.issuer);
    return sources.flatMap((kind) =>
      kind === 'crl'
        ? [...addresses.lists, ...lists].map((address) => this.#listSource(of, address, authority))
        : addresses.responders.map((address) => this.#responderSource(of, address, authority)),
    );
  }

  /** One list serves all certificates of its authority. */
  #listSource({ certificate, issuer }: IssuedBy, address: string, authority: string): Source {
    const key = `${address} ${authority}`;
    const read = async (): Promise<RevocationList> => {
      const accept = 'application/pkix-crl, */*';
      const der = await this.#fetch({ url: new URL(address), accept }, listMaxBytes);
      return parseRevocationList({ der, issuer, now: this.clock.now() });
    };
    return {
      isRevokedNow: () => this.#lists.findFresh(key)?.isRevoked(certificate),
      isResting: () => this.#lists.isResting(key),
      isRevoked: async () => (await this.#lists.find(key, read))?.isRevoked(certificate),
    };
  }

  #responderSource({ certificate, issuer }: IssuedBy, address: string, authority: string): Source {
    const key = `${address} ${authority} ${certificate.serialNumber}`;
    const read = async (): Promise<CertificateStatus> => {
      const body = { type: 'application/ocsp-request', bytes: createOcspRequest({ certificate, issuer }) };
      const request = { url: new URL(address), accept: 'application/ocsp-response', body };
      const der = await this.#fetch(request, ocspMaxBytes);
      return verifyOcspResponse({ der, certificate, issuer, now: this.clock.now() });
    };
    return {
      isRevokedNow: () => this.#statuses.findFresh(key)?.isRevoked,
      isResting: () => this.#statuses.isResting(key),
      isRevoked: async () => (await this.#statuses.find(key, read))?.isRevoked,
    };
  }

  #fetch(request: DocumentRequest, maxBytes: number): Promise<Buffer> {
    const { directory, egress } = this.config;
    return fetchDocument(request, {
      ca: request.url.protocol === 'https:' ? this.directories.everyCa : undefined,
      proxyUrl: egress.proxyUrl,
      allowPrivateAddresses: directory.allowPrivateAddresses,
      timeoutMilliseconds,
      maxBytes,
    });
  }
}

function readAddresses(certificate: X509Certificate): ReturnType<typeof revocationAddressesOf> {
  try {
    return revocationAddressesOf(certificate);
  } catch {
    // A malformed extension: the certificate names no source.
    return { lists: [], responders: [] };
  }
}
