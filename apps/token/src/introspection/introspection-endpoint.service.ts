import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Clock, Config } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { hashToken, InvalidClientError, parseIntrospectionRequest } from '#libs/oauth';
import { TokenIntrospection } from '#libs/token-store';
import { isCertificateSubject } from '../token/is-certificate-subject.js';
import { readFormRequest } from '../token/read-form-request.js';
import { createIntrospectionResponse, type IntrospectionResponse } from './introspection-response.js';

/**
 * POST /oauth2/introspect (RFC 7662), step by step. It is for the bank's own resource servers, each known by the subject of its
 * certificate, from an authority of the bank's own; a TPP's certificate is refused, whatever its subject.
 */
@Injectable()
export class IntrospectionEndpoint {
  readonly #certificates: ClientCertificateReader;
  readonly #tokens: TokenIntrospection;
  readonly #config: Config;
  readonly #clock: Clock;

  constructor(certificates: ClientCertificateReader, tokens: TokenIntrospection, config: Config, clock: Clock) {
    this.#certificates = certificates;
    this.#tokens = tokens;
    this.#config = config;
    this.#clock = clock;
  }

  /** @returns what is known of the token, or only that it is not active. Throws OAuthError. */
  async introspect(request: FastifyRequest): Promise<IntrospectionResponse> {
    const shown = await this.#certificates.readResourceServer(request);
    if (shown === undefined) throw new InvalidClientError({ detail: 'no verified certificate of the bank' });
    const { certificate } = shown;
    const subjects = this.#config.introspection?.clientSubjects ?? [];
    if (!subjects.some((subject) => isCertificateSubject(certificate, subject))) {
      throw new InvalidClientError({ detail: 'certificate of no resource server' });
    }
    const { token } = parseIntrospectionRequest(readFormRequest(request));
    const found = await this.#tokens.findActiveToken(hashToken(token), this.#clock.now());
    return createIntrospectionResponse(found, this.#config.issuer);
  }
}
