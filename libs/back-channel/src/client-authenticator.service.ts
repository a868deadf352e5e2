import { Injectable } from '@nestjs/common';
import { AuditNotes } from '#libs/audit';
import { CertificateError } from '#libs/certificates';
import { ClientRegistrationService, type RegisteredClient } from '#libs/client-registration';
import { Config } from '#libs/config';
import { Directories, KeySets } from '#libs/directory';
import type { ClientCertificate } from '#libs/http-server';
import {
  authenticateClient,
  InvalidClientError,
  type AssertionAudience,
  type ClientCredentialsPresented,
} from '#libs/oauth';
import type { ClientAssertionId } from '#libs/token-store';
import { isCertificateSubject } from './is-certificate-subject.js';
import { OlderAudiences } from './older-audiences.service.js';

/** The credentials that a caller presents. */
export interface AuthenticationAttempt {
  readonly client: RegisteredClient | undefined;
  readonly credentials: ClientCredentialsPresented;
  /** undefined if the connection has none, as on the one-way TLS host */
  readonly certificate: ClientCertificate | undefined;
  /** addresses of an endpoint other than the token endpoint, also accepted as audience (RFC 9126 s2) */
  readonly endpoints?: readonly string[];
  readonly now: Date;
}

/** Binds the rules of client authentication to this service's keys, secrets and addresses. */
@Injectable()
export class ClientAuthenticator {
  constructor(
    private readonly registrations: ClientRegistrationService,
    private readonly directories: Directories,
    private readonly keySets: KeySets,
    private readonly olderAudiences: OlderAudiences,
    private readonly config: Config,
    private readonly notes: AuditNotes,
  ) {}

  /**
   * Authenticates with the registered method. If the connection has a certificate, it must have been issued to the
   * client, whatever the method.
   * @returns the client and, for the JWT methods, the `jti` that must be redeemed together with the effect of the
   * request
   * @throws InvalidClientError; TemporarilyUnavailableError if the client's keys are unavailable
   */
  async authenticate(
    attempt: AuthenticationAttempt,
  ): Promise<{ client: RegisteredClient; assertion?: ClientAssertionId }> {
    const { client, credentials, certificate, endpoints, now } = attempt;
    const { assertion } = await authenticateClient({
      client,
      credentials,
      audience: this.#audienceAt(endpoints),
      profile: this.config.profile,
      peppers: this.config.secrets.clientSecretPeppers,
      decryptSecret: (of) => this.registrations.decryptSecret(of),
      findKeys: (of, query) => this.keySets.findClientKeys(of, query),
      ...(certificate && {
        isCertificateSubject: (registeredName: string) => isCertificateSubject(certificate.certificate, registeredName),
      }),
      now,
    }).catch((error: unknown) => {
      if (error instanceof InvalidClientError)
        this.#noteFailure(attempt, client === undefined ? 'unknown client' : undefined);
      throw error;
    });
    // authenticateClient refuses an unknown client.
    const authenticated = client as RegisteredClient;
    this.#verifyCertificateOwner(attempt, authenticated);
    if (assertion?.isIssuerAudience === false) this.olderAudiences.count(authenticated.clientId, now);
    return { client: authenticated, ...(assertion && { assertion }) };
  }

  /**
   * The token will be bound to the certificate, and valid credentials with another client's may be stolen. Runs after
   * authentication, so that nobody can probe which certificate belongs to which client.
   */
  #verifyCertificateOwner(attempt: AuthenticationAttempt, client: RegisteredClient): void {
    const { certificate } = attempt;
    if (certificate === undefined) return;
    try {
      this.directories.verifyCertificateOwner(certificate, client);
    } catch (cause) {
      if (!(cause instanceof CertificateError)) throw cause;
      const detail = 'certificate of another software';
      this.#noteFailure(attempt, detail);
      throw new InvalidClientError({ reason: 'certificate-owner', detail, cause });
    }
  }

  /** Unknown ids are counted together, because anybody can invent more of them. */
  #noteFailure({ client, credentials }: AuthenticationAttempt, why: string | undefined): void {
    const { clientId } = client ?? {};
    const reason = why === undefined ? credentials.mechanism : `${credentials.mechanism}, ${why}`;
    this.notes.note({ action: 'client.authentication-failed', reason, ...(clientId && { clientId }) });
  }

  #audienceAt(endpoints: readonly string[] = []): AssertionAudience {
    const { issuer, tokenUrl } = this.config;
    return { issuer, endpoints: [`${tokenUrl}/oauth2/token`, ...endpoints] };
  }
}
