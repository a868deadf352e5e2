import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isCertificateSubject, readFormRequest } from '#libs/back-channel';
import { Clock, Config } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { hashToken, InvalidClientError, parseIntrospectionRequest, ServerError } from '#libs/oauth';
import { TokenIntrospection } from '#libs/token-store';
import { createIntrospectionResponse, type IntrospectionResponse } from './introspection-response.js';
import { prefersSigned, signIntrospection } from './signed-introspection.js';

/**
 * POST /oauth2/introspect (RFC 7662), step by step. It is for the bank's own resource servers, each known by the
 * subject of its certificate, from an authority of the bank's own; a TPP's certificate is refused, whatever its
 * subject.
 */
@Injectable()
export class IntrospectionEndpoint {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly tokens: TokenIntrospection,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns what is known of the token, or only that it is not active; as a JWT for who asks for one (RFC 9701)
   * @throws OAuthError
   */
  async introspect(request: FastifyRequest): Promise<IntrospectionResponse | string> {
    const shown = await this.certificates.readResourceServer(request);
    if (shown === undefined)
      throw new InvalidClientError({ reason: 'certificate-missing', detail: 'no verified certificate of the bank' });
    const { certificate } = shown;
    const subjects = this.config.introspection?.clientSubjects ?? [];
    const resourceServer = subjects.find((subject) => isCertificateSubject(certificate, subject));
    if (resourceServer === undefined) {
      throw new InvalidClientError({
        reason: 'certificate-owner',
        detail: 'the certificate belongs to no resource server',
      });
    }
    const { token } = parseIntrospectionRequest(readFormRequest(request));
    const now = this.clock.now();
    const found = await this.tokens.findActiveToken(hashToken(token), now);
    const { issuer, signing } = this.config;
    const response = createIntrospectionResponse(found, issuer);
    if (!prefersSigned(request.headers.accept)) return response;
    const [key] = signing.keys;
    if (key === undefined) throw new ServerError({ detail: 'no signing key' });
    return signIntrospection({ response, issuer, audience: resourceServer, key, now });
  }
}
