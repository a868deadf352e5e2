import { Injectable } from '@nestjs/common';
import {
  ClientRegistrationService,
  parseRegistrationRequest,
  type ClientMetadata,
  type ClientRegistration,
  type RegisteredClient,
  RegistrationError,
  type RegistrationOutcome,
  toClientRegistrationResponse,
  verifyRegistrationRequest,
  verifyRegistrationSignature,
} from '#libs/client-registration';
import { endApprovalsOfClient } from '#libs/payment-order';
import { Clock, Config } from '#libs/config';
import { endAccessOfClient } from '#libs/access-consent';
import { Directories, KeySets, type SoftwareStatement, SoftwareStatements } from '#libs/directory';
import type { ClientCertificate } from '#libs/http-server';
import { Database } from '#libs/persistence';
import { AccessTokenStore } from '#libs/token-store';
import { createFault } from '#libs/error-catalogue';
import { registrationEndpoint } from './registration-address.js';
import { unauthorized } from './unauthorized.js';
import { otherCertificate, verifyStatementOwner } from './verify-statement-owner.js';

/** A request to register or to replace a registration. */
export interface SignedRegistrationRequest {
  /** bytes as received */
  body: Buffer;
  /** certificate of the connection, verified */
  certificate: ClientCertificate;
  interactionId: string;
}

/** The steps of the registration operations, in the order of the standard. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly softwareStatements: SoftwareStatements,
    private readonly directories: Directories,
    private readonly keySets: KeySets,
    private readonly clients: ClientRegistrationService,
    private readonly tokens: AccessTokenStore,
  ) {}

  /**
   * Registers a client (RFC 7591 s3).
   * @throws RegistrationError, SoftwareStatementError for a request that is refused
   * @throws KeySetError if the directory is unavailable
   */
  async register(request: SignedRegistrationRequest): Promise<RegistrationOutcome> {
    const { metadata, software } = await this.#verify(request);
    const { maxPerSoftware } = this.config.registration;
    return this.clients.register(metadata, software, { maxPerSoftware, interactionId: request.interactionId });
  }

  /**
   * Replaces the metadata of a client (RFC 7592 s2.2).
   * @param client the authenticated owner of the registration
   * @throws as register; BodilessError 401 if the client has been deleted since authentication
   */
  async replace(request: SignedRegistrationRequest, client: RegisteredClient): Promise<RegistrationOutcome> {
    const { metadata, software } = await this.#verify(request, client);
    this.#verifySameDirectory(client, software);
    const outcome = await this.clients.replace(client, metadata, software, request.interactionId);
    if (outcome === undefined) throw unauthorized('deleted meanwhile', this.config.registration);
    return outcome;
  }

  /**
   * @param client the authenticated owner of the registration
   * @returns its registration without the secret (CVE-2020-27838)
   * @throws BodilessError 401 if the client has been deleted since authentication
   */
  async read({ clientId }: RegisteredClient): Promise<RegistrationOutcome> {
    const registration = await this.clients.findRegistration(clientId);
    if (registration === undefined) throw unauthorized('deleted meanwhile', this.config.registration);
    return { registration };
  }

  /**
   * Deletes a client with all its codes and tokens, in one transaction (RFC 7592 s2.3). File payments that await
   * further approvals end too; approved ones continue.
   * @throws BodilessError 401 if it has been deleted or suspended since authentication; then nothing changes
   */
  async delete({ clientId, jwksUri }: RegisteredClient, interactionId: string): Promise<void> {
    const isDeleted = await this.database.transaction(async (runner) => {
      // One that was suspended meanwhile may be resumed: it keeps what it has.
      if (!(await this.clients.delete(runner, clientId, interactionId))) return false;
      const now = this.clock.ofDatabase();
      await this.tokens.revokeOfClient(runner, { clientId, now, interactionId });
      await endAccessOfClient(runner, { clientId, now, interactionId });
      await endApprovalsOfClient(runner, { clientId, now });
      return true;
    });
    if (!isDeleted) throw unauthorized('deleted or suspended meanwhile', this.config.registration);
    this.keySets.forget(jwksUri);
  }

  async #verify(
    { body, certificate }: SignedRegistrationRequest,
    client?: RegisteredClient,
  ): Promise<{ metadata: ClientMetadata; software: SoftwareStatement }> {
    const request = parseRegistrationRequest(body);
    // The software statement first: only a verified one may name the key set of the request.
    const software = await this.softwareStatements.verify(request.softwareStatement);
    const keys = await this.keySets.findClientKeys(software, { ...request, isRegistration: true });
    await verifyRegistrationSignature({ request, keys });
    if (client !== undefined) this.clients.verifySecretClaim(client, request.claims);
    const metadata = verifyRegistrationRequest({
      ...this.config.registration,
      reservedClientNames: this.config.registration.reservedClientNames ?? [this.config.bank.name],
      claims: request.claims,
      software,
      audience: this.#audience(),
      profile: this.config.profile,
      idTokenAlgorithms: this.config.signing.keys.map(({ algorithm }) => algorithm),
      certificate: certificate.certificate,
      now: this.clock.now(),
      ...(client === undefined
        ? {}
        : { clientId: client.clientId, fapiProfile: client.fapiProfile ?? 'fapi1-advanced' }),
    });
    verifyStatementOwner(this.directories, certificate, software);
    await this.#verifyListed(certificate, software);
    return { metadata, software };
  }

  /** Two directories may issue the same ids: only the registration's directory can replace it. */
  #verifySameDirectory(client: RegisteredClient, { directoryIssuer }: SoftwareStatement): void {
    if (client.directoryIssuer === directoryIssuer) return;
    const message = 'The software statement must come from the directory of the registration.';
    throw RegistrationError.because(createFault('Field.Invalid', message, 'software_statement.iss'));
  }

  /** If the bank requires it: the directory lists this certificate for the software or its organisation. */
  async #verifyListed({ thumbprint }: ClientCertificate, { jwksUri, orgJwksUri }: SoftwareStatement): Promise<void> {
    if (!this.config.registration.requireListedCertificate) return;
    if (await this.keySets.isListed(jwksUri, thumbprint)) return;
    if (orgJwksUri !== undefined && (await this.keySets.isListed(orgJwksUri, thumbprint))) return;
    throw otherCertificate('The directory does not list the client certificate for the software or its organisation.');
  }

  /** OBClientRegistration1 under this service's own address, with the secret if one was issued. */
  toResponse({ registration, clientSecret }: RegistrationOutcome): Record<string, unknown> {
    const { profile } = this.config;
    const endpoint = registrationEndpoint(this.config);
    return toClientRegistrationResponse({ registration, registrationEndpoint: endpoint, clientSecret, profile });
  }

  /** `Location` of a new registration. */
  addressOf({ clientId }: ClientRegistration): string {
    return `${registrationEndpoint(this.config)}/${clientId}`;
  }

  /** The values of `aud` that name this service. */
  #audience(): string[] {
    const { issuer, tokenUrl, signing } = this.config;
    return [signing.organisationId, issuer, registrationEndpoint(this.config), `${tokenUrl}/oauth2/token`];
  }
}
