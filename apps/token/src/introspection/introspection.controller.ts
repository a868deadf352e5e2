import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isCertificateSubject, readFormRequest, sendDocument, uncached } from '#libs/back-channel';
import { Clock, Config } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { hashToken, InvalidClientError, parseIntrospectionRequest, ServerError } from '#libs/oauth';
import { TokenIntrospection } from '#libs/token-store';
import { createIntrospectionResponse } from './introspection-response.js';
import { prefersSigned, signedIntrospectionType, signIntrospection } from './signed-introspection.js';

/**
 * POST /oauth2/introspect (RFC 7662), step by step. It is for the bank's own resource servers, each known by the
 * subject of its certificate, from an authority of the bank's own; a TPP's certificate is refused, whatever its
 * subject.
 */
@Controller('oauth2')
export class IntrospectionController {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly tokens: TokenIntrospection,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Says what is known of the token, or only that it is not active; as a JWT if requested (RFC 9701 s5). */
  @Post('introspect')
  async introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
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
    if (found !== undefined) await this.tokens.noteUse(found, now);
    const { issuer, signing } = this.config;
    const response = createIntrospectionResponse(found, issuer);
    if (!prefersSigned(request.headers.accept)) {
      sendDocument(request, reply, { status: 200, body: response });
      return;
    }
    const [key] = signing.keys;
    if (key === undefined) throw new ServerError({ detail: 'no signing key' });
    const signed = await signIntrospection({ response, issuer, audience: resourceServer, key, now });
    const headers = { ...uncached, vary: 'accept', 'content-type': signedIntrospectionType };
    void reply.status(200).headers(headers).send(Buffer.from(signed));
  }
}
