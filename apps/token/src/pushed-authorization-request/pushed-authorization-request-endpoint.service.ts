import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PushedAuthorizationRequestService } from '#libs/authorization-session';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock, Config } from '#libs/config';
import { KeySets } from '#libs/directory';
import { ClientCertificateReader } from '#libs/guards';
import {
  ClientAssertionReusedError,
  createPushedRequestUri,
  hashToken,
  type OAuthClient,
  parsePushedAuthorizationRequest,
  verifyPushedRequest,
} from '#libs/oauth';
import type { ClientAssertionId } from '#libs/token-store';
import { ClientAuthenticator } from '../token/client-authenticator.service.js';
import { getClientCertificate } from '../token/get-client-certificate.js';
import { readFormRequest } from '../token/read-form-request.js';
import { secondsAfter } from '../token/seconds-after.js';

/** The 201 answer (RFC 9126 s2.2); member names as on the wire. */
export interface PushedAuthorizationResponse {
  request_uri: string;
  /** seconds */
  expires_in: number;
}

/** POST /oauth2/par (RFC 9126, FAPI 1.0 Advanced s5.2.2 items 11 and 18), step by step. The client authenticates as at the token endpoint. */
@Injectable()
export class PushedAuthorizationRequestEndpoint {
  readonly #certificates: ClientCertificateReader;
  readonly #clients: ClientRegistrationService;
  readonly #authenticator: ClientAuthenticator;
  readonly #keySets: KeySets;
  readonly #pushedRequests: PushedAuthorizationRequestService;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(
    certificates: ClientCertificateReader,
    clients: ClientRegistrationService,
    authenticator: ClientAuthenticator,
    keySets: KeySets,
    pushedRequests: PushedAuthorizationRequestService,
    config: Config,
    clock: Clock,
  ) {
    this.#certificates = certificates;
    this.#clients = clients;
    this.#authenticator = authenticator;
    this.#keySets = keySets;
    this.#pushedRequests = pushedRequests;
    this.#config = config;
    this.#clock = clock;
  }

  /** @returns the reference that the client's request to the authorization endpoint names. Throws OAuthError. */
  async push(request: FastifyRequest): Promise<PushedAuthorizationResponse> {
    const now = this.#clock.now();
    const certificate = await getClientCertificate(this.#certificates, request);
    const { credentials, request: requestObject } = parsePushedAuthorizationRequest(readFormRequest(request));
    const found = await this.#clients.findClient(credentials.clientId);
    const { client, assertion } = await this.#authenticator.authenticate({
      client: found,
      credentials,
      certificate,
      endpoint: '/oauth2/par',
      now,
    });
    const expiresInSeconds = await this.#verify({ requestObject, client, now });
    return this.#store({ requestObject, client, expiresInSeconds, now, ...(assertion && { assertion }) });
  }

  /** @returns for how many seconds the reference counts: never longer than the request object itself */
  async #verify(pushed: { requestObject: string; client: OAuthClient; now: Date }): Promise<number> {
    const { requestObject, client, now } = pushed;
    const { expiresAt } = await verifyPushedRequest({
      request: requestObject,
      client,
      issuer: this.#config.issuer,
      findKeys: (of, query) => this.#keySets.findClientKeys(of, query),
      isIntentOptional: this.#config.authorization.allowWithoutIntent,
      signingKeys: this.#config.signing.keys,
      now,
    });
    const left = Math.floor((expiresAt.getTime() - now.getTime()) / 1_000);
    // One that is within the tolerance of its end has a moment left, and no reference lasts for nothing.
    return Math.max(1, Math.min(this.#config.authorization.pushedRequestSeconds, left));
  }

  async #store(pushed: {
    requestObject: string;
    client: OAuthClient;
    expiresInSeconds: number;
    assertion?: ClientAssertionId;
    now: Date;
  }): Promise<PushedAuthorizationResponse> {
    const { requestObject, client, expiresInSeconds, assertion, now } = pushed;
    const requestUri = createPushedRequestUri();
    const outcome = await this.#pushedRequests.push({
      requestUriHash: hashToken(requestUri),
      clientId: client.clientId,
      request: requestObject,
      expiresAt: secondsAfter(now, expiresInSeconds),
      ...(assertion && { assertion }),
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    return { request_uri: requestUri, expires_in: expiresInSeconds };
  }
}
