import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CertificateError } from '#libs/certificates';
import { ClientRegistrationService, type RegisteredClient } from '#libs/client-registration';
import { Clock, Config } from '#libs/config';
import { Directories } from '#libs/directory';
import { type BankErrorCode, createFault } from '#libs/error-catalogue';
import { ObError } from '#libs/error-envelope';
import { AccessTokenLookup, singleHeader } from '#libs/guards';
import type { ClientCertificate } from '#libs/http-server';
import { hashToken } from '#libs/oauth';
import { TokenRevocation } from '#libs/token-store';
import { type ManagementCredentials, parseManagementCredentials } from './management-credentials.js';
import { unauthorized } from './unauthorized.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** the authenticated client, owner of the managed registration */
    registrationOwner?: RegisteredClient;
  }
}

/**
 * Allows only a client itself to manage its registration (Open Banking DCR, RFC 7592 s2). Runs after the
 * ClientCertificateGuard and before the body is read: a deleted client gets 401 even with a valid body.
 */
@Injectable()
export class RegistrationOwnerGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly directories: Directories,
    private readonly clients: ClientRegistrationService,
    private readonly tokens: AccessTokenLookup,
    private readonly revocation: TokenRevocation,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest<{ Params: { ClientId: string } }>>();
    const { clientCertificate } = request;
    if (clientCertificate === undefined) throw new TypeError('The client certificate guard must run before this one.');
    const credentials = readCredentials(request, this.config.registration);
    const callerId = await this.#authenticate(credentials, clientCertificate);
    const owner = await this.clients.findClient(request.params.ClientId);
    const isHidden = this.config.registration.hideOtherClients && owner?.clientId !== callerId;
    if (owner === undefined || isHidden) {
      // Open Banking DCR: 401, and the token is revoked.
      if (credentials.scheme === 'bearer') await this.#endToken(credentials.token, callerId, request.interactionId);
      throw unauthorized('no such client', this.config.registration);
    }
    if (owner.clientId !== callerId) throw this.#forbidden('Registration.Forbidden', 'ClientId', otherClient);
    this.#verifyCertificate(clientCertificate, owner);
    request.registrationOwner = owner;
    return true;
  }

  /** @returns id of the client to which the credentials belong */
  async #authenticate(credentials: ManagementCredentials, certificate: ClientCertificate): Promise<string> {
    if (credentials.scheme === 'basic') {
      const client = await this.clients.findClient(credentials.clientId);
      const isSecret = this.clients.isSecretOf(client, credentials.clientSecret);
      if (client === undefined || !isSecret)
        throw unauthorized('unknown client or wrong secret', this.config.registration);
      await this.clients.renewSecretHash(client, credentials.clientSecret);
      return client.clientId;
    }
    const token = await this.tokens.find(credentials.token);
    // RFC 8705 s3: the token must be bound to the certificate of this connection.
    if (token === undefined || token.certificateThumbprint !== certificate.thumbprint) {
      throw unauthorized('token unknown, expired, revoked or bound to another certificate', this.config.registration);
    }
    if (token.grantType !== 'client_credentials')
      throw this.#forbidden('Token.WrongGrant', 'Authorization', otherGrant);
    return token.clientId;
  }

  #verifyCertificate(certificate: ClientCertificate, owner: RegisteredClient): void {
    try {
      this.directories.verifyCertificateOwner(certificate, owner);
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error;
      throw unauthorized('certificate of another software', this.config.registration);
    }
  }

  async #endToken(token: string, clientId: string, interactionId: string): Promise<void> {
    await this.revocation.revokeToken({
      tokenHash: hashToken(token),
      clientId,
      now: this.clock.now(),
      interactionId,
    });
  }

  #forbidden(code: BankErrorCode, path: string, message: string): ObError {
    return new ObError(403, 'The registration cannot be managed with these credentials.', [
      createFault(code, message, path),
    ]);
  }
}

export const otherClient = 'The registration belongs to another client.';
const otherGrant = 'This operation needs an access token of the grant client_credentials.';

function readCredentials(request: FastifyRequest, settings: Config['registration']): ManagementCredentials {
  const { value, isRepeated } = singleHeader(request, 'authorization');
  const credentials = value === undefined || isRepeated ? undefined : parseManagementCredentials(value, settings);
  if (credentials === undefined) throw unauthorized('no readable credentials', settings);
  return credentials;
}
