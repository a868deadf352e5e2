import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import type { ClientCertificate } from '#libs/http-server';
import { InvalidClientError, assertRegisteredGrantType } from '#libs/oauth';
import { AuthorizationCodeGrant } from './authorization-code.grant.js';
import { ClientAuthenticator } from './client-authenticator.service.js';
import { ClientCredentialsGrant } from './client-credentials.grant.js';
import { readTokenRequest } from './read-token-request.js';
import type { TokenResponse } from './token-response.js';
import { verifyCertificateOwner } from './verify-certificate-owner.js';

/** POST /oauth2/token (RFC 6749 s3.2, FAPI 1.0 Advanced s5.2.2), step by step. */
@Injectable()
export class TokenEndpoint {
  readonly #certificates: ClientCertificateReader;
  readonly #clients: ClientRegistrationService;
  readonly #authenticator: ClientAuthenticator;
  readonly #clientCredentials: ClientCredentialsGrant;
  readonly #authorizationCode: AuthorizationCodeGrant;
  readonly #clock: Clock;

  constructor(
    certificates: ClientCertificateReader,
    clients: ClientRegistrationService,
    authenticator: ClientAuthenticator,
    clientCredentials: ClientCredentialsGrant,
    authorizationCode: AuthorizationCodeGrant,
    clock: Clock,
  ) {
    this.#certificates = certificates;
    this.#clients = clients;
    this.#authenticator = authenticator;
    this.#clientCredentials = clientCredentials;
    this.#authorizationCode = authorizationCode;
    this.#clock = clock;
  }

  /**
   * @returns the token response
   * @throws OAuthError for every refusal
   */
  async answer(request: FastifyRequest): Promise<TokenResponse> {
    const now = this.#clock.now();
    const certificate = this.#getClientCertificate(request);
    const tokenRequest = readTokenRequest(request);
    const { credentials } = tokenRequest;
    const found = await this.#clients.findClient(credentials.clientId);
    const { client, assertion } = await this.#authenticator.authenticate({
      client: found,
      credentials,
      certificate,
      now,
    });
    verifyCertificateOwner({ certificate, client, credentials });
    assertRegisteredGrantType(client, tokenRequest.grantType);
    const grant = { client, certificateThumbprint: certificate.thumbprint, now, ...(assertion && { assertion }) };
    return tokenRequest.grantType === 'client_credentials'
      ? this.#clientCredentials.issue({ ...grant, tokenRequest })
      : this.#authorizationCode.issue({ ...grant, tokenRequest });
  }

  /** Whatever the method, the connection carries a certificate: every token is bound to it (RFC 8705 s3). */
  #getClientCertificate(request: FastifyRequest): ClientCertificate {
    const certificate = this.#certificates.read(request);
    if (certificate === undefined) throw new InvalidClientError({ detail: 'no verified client certificate' });
    return certificate;
  }
}
