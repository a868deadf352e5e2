import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PushedAuthorizationRequestService } from '#libs/customer-session';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock, Config } from '#libs/config';
import { KeySets } from '#libs/directory';
import type { ClientCertificate } from '#libs/http-server';
import {
  ClientAssertionReusedError,
  createPushedRequestUri,
  formatPushedRequest,
  hashToken,
  InvalidClientError,
  type OAuthClient,
  parsePushedAuthorizationRequest,
  type PushedRequest,
  verifyPushedRequest,
} from '#libs/oauth';
import type { ClientAssertionId } from '#libs/token-store';
import { ClientAuthenticator } from './client-authenticator.service.js';
import { readFormRequest } from './read-form-request.js';

/** The 201 answer (RFC 9126 s2.2); member names as on the wire. */
export interface PushedAuthorizationResponse {
  request_uri: string;
  /** seconds */
  expires_in: number;
}

/**
 * POST /oauth2/par (RFC 9126, FAPI 1.0 Advanced s5.2.2 items 11 and 18), step by step. The client authenticates as at
 * the token endpoint.
 */
@Injectable()
export class PushedAuthorizationRequestEndpoint {
  constructor(
    private readonly clients: ClientRegistrationService,
    private readonly authenticator: ClientAuthenticator,
    private readonly keySets: KeySets,
    private readonly pushedRequests: PushedAuthorizationRequestService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @param certificate of the connection; undefined on the one-way TLS host, which refuses tls_client_auth
   * @returns the reference that the client's request to the authorization endpoint names
   * @throws OAuthError
   */
  async push(
    request: FastifyRequest,
    certificate: ClientCertificate | undefined,
  ): Promise<PushedAuthorizationResponse> {
    const now = this.clock.now();
    const { credentials, pushed } = parsePushedAuthorizationRequest(readFormRequest(request));
    // RFC 8705 s2.1: this host requests no certificate. All other methods are allowed, because using the result
    // requires one.
    if (certificate === undefined && credentials.mechanism === 'none') throw needsMutualTls(this.config.tokenUrl);
    const found = await this.clients.findClient(credentials.clientId);
    const { client, assertion } = await this.authenticator.authenticate({
      client: found,
      credentials,
      certificate,
      endpoints: [`${this.config.tokenUrl}/oauth2/par`, `${this.config.authUrl}/oauth2/par`],
      now,
    });
    const expiresInSeconds = await this.#verify({ pushed, client, now });
    return this.#store({
      request: formatPushedRequest(pushed),
      client,
      expiresInSeconds,
      now,
      ...(assertion && { assertion }),
    });
  }

  /** @returns the lifetime of the reference in seconds */
  async #verify(sent: { pushed: PushedRequest; client: OAuthClient; now: Date }): Promise<number> {
    const { expiresInSeconds } = await verifyPushedRequest({
      ...sent,
      referenceSeconds: this.config.authorization.pushedRequestSeconds,
      issuer: this.config.issuer,
      findKeys: (of, query) => this.keySets.findClientKeys(of, query),
      isIntentOptional: this.config.authorization.allowWithoutIntent,
      signingKeys: this.config.signing.keys,
      profile: this.config.profile,
    });
    return expiresInSeconds;
  }

  async #store(pushed: {
    request: string;
    client: OAuthClient;
    expiresInSeconds: number;
    assertion?: ClientAssertionId;
    now: Date;
  }): Promise<PushedAuthorizationResponse> {
    const { request, client, expiresInSeconds, assertion, now } = pushed;
    const requestUri = createPushedRequestUri();
    const outcome = await this.pushedRequests.push({
      requestUriHash: hashToken(requestUri),
      clientId: client.clientId,
      request,
      expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000),
      ...(assertion && { assertion }),
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    return { request_uri: requestUri, expires_in: expiresInSeconds };
  }
}

function needsMutualTls(tokenUrl: string): InvalidClientError {
  return new InvalidClientError({
    reason: 'certificate-missing',
    detail: `there is no client certificate at this address: tls_client_auth uses ${tokenUrl}/oauth2/par`,
  });
}
