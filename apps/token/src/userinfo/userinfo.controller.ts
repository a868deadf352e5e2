import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendDocument } from '#libs/back-channel';
import { Config } from '#libs/config';
import { AccessTokenLookup, ClientCertificateReader, singleHeader } from '#libs/guards';
import { BearerTokenError, pairwiseSubject, parseBearerAuthorization } from '#libs/oauth';

/** GET and POST /oauth2/userinfo (OIDC Core s5.3), step by step. */
@Controller('oauth2/userinfo')
export class UserinfoController {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly tokens: AccessTokenLookup,
    private readonly config: Config,
  ) {}

  @Get()
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.#answer(request) });
  }

  /** OIDC Core s5.3.1: both methods. */
  @Post()
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.#answer(request) });
  }

  /**
   * @returns who the customer is for this TPP, by the subject that the ID tokens name, and nothing else (OIDC Core
   * s5.3.2). Throws BearerTokenError (RFC 6750 s3.1).
   */
  async #answer(request: FastifyRequest): Promise<{ sub: string }> {
    const token = await this.tokens.find(readBearerToken(request));
    if (token === undefined) throw new BearerTokenError('invalid_token', { detail: 'unknown, expired or revoked' });
    // RFC 8705 s3: the token must be bound to the certificate of this connection.
    const certificate = await this.certificates.readUnrevoked(request);
    if (certificate?.thumbprint !== token.certificateThumbprint) {
      throw new BearerTokenError('invalid_token', { detail: 'bound to a different certificate' });
    }
    const { psuId, orgId, scope } = token;
    if (psuId === undefined || !scope.includes('openid')) {
      throw new BearerTokenError('insufficient_scope', { detail: 'not issued for openid' });
    }
    return { sub: pairwiseSubject({ salt: this.config.secrets.pairwiseSubjectKey.key, sector: orgId, psuId }) };
  }
}

/** RFC 6750 s2.1: only the header counts; a token in form or query is not looked at. */
function readBearerToken(request: FastifyRequest): string {
  const { value, isRepeated } = singleHeader(request, 'authorization');
  if (value === undefined || value === '') throw new BearerTokenError(undefined, { detail: 'no access token' });
  const token = parseBearerAuthorization(value);
  if (isRepeated || token === undefined) throw new BearerTokenError('invalid_token', { detail: 'not a bearer token' });
  return token;
}
