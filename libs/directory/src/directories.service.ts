import { X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { Injectable } from '@nestjs/common';
import { CertificateError, verifyCertificateBelongsToSoftware } from '#libs/certificates';
import { Config } from '#libs/config';
import type { TrustedDirectory } from '#libs/http-server';
import type { ClientCertificate } from '#libs/http-server';
import { hostsOf } from './key-set-address.js';

/** The software to which a certificate should belong. */
export interface CertificateOwner {
  orgId: string;
  softwareId: string;
  organisationIdentifier?: string | undefined;
  /** `iss` of the software statement */
  directoryIssuer: string;
}

/** The trusted directories, each only for its own software. */
@Injectable()
export class Directories {
  readonly #trusted: Config['directory']['trusted'];
  /** DER of the authorities that issue certificates to a directory's software */
  readonly #trustAnchors: ReadonlyMap<TrustedDirectory, readonly Buffer[]>;

  constructor(config: Config) {
    this.#trusted = config.directory.trusted;
    this.#trustAnchors = new Map(
      this.#trusted.map((directory) => [
        directory,
        directory.clientTrustAnchors.map((pem) => new X509Certificate(pem).raw),
      ]),
    );
  }

  /** @param issuer `iss` of a software statement, compared exactly */
  find(issuer: unknown): TrustedDirectory | undefined {
    return this.#trusted.find((directory) => directory.issuer === issuer);
  }

  /** Every host from which keys may be fetched: those of TPPs' keys, and the directories' own, which are configured. */
  get keyHosts(): string[] {
    return this.#trusted.flatMap(hostsOf);
  }

  /** @returns the authorities to trust on a host that a directory names; undefined for the system's */
  caOf(host: string): string | undefined {
    const isNamed = (directory: TrustedDirectory): boolean =>
      hostsOf(directory).some((known) => known.toLowerCase().replace(/:443$/, '') === host);
    return this.#trusted.find(isNamed)?.ca;
  }

  /**
   * The authorities of all directories' servers, for documents that belong to no single directory; undefined for the
   * system's.
   */
  get everyCa(): string[] | undefined {
    const authorities = this.#trusted.flatMap(({ ca }) => ca ?? []);
    if (authorities.length === 0) return undefined;
    return authorities.length === this.#trusted.length ? authorities : [...rootCertificates, ...authorities];
  }

  /**
   * Verifies that a verified certificate was issued to some software, by an authority of that software's own directory,
   * because organisation ids are unique only within a directory.
   * @throws CertificateError `other-software`
   */
  verifyCertificateOwner(shown: ClientCertificate, owner: CertificateOwner): void {
    const directory = this.find(owner.directoryIssuer);
    const anchor = shown.path.at(-1);
    const anchors = directory === undefined ? [] : (this.#trustAnchors.get(directory) ?? []);
    if (anchor === undefined || !anchors.some((trusted) => trusted.equals(anchor.raw))) {
      throw new CertificateError('other-software', 'The certificate was issued by an authority of another directory.');
    }
    const { orgId, softwareId, organisationIdentifier } = owner;
    verifyCertificateBelongsToSoftware({ certificate: shown.certificate, orgId, softwareId, organisationIdentifier });
  }
}
