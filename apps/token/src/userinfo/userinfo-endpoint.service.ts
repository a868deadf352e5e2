import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#libs/config';
import { AccessTokenLookup, ClientCertificateReader, singleHeader } from '#libs/guards';
import { BearerTokenError, pairwiseSubject, parseBearerAuthorization } from '#libs/oauth';

/** The claims of the customer: who it is for this TPP, and nothing else (OIDC Core s5.3.2). */
export interface UserinfoResponse {
  sub: string;
}

/** GET and POST /oauth2/userinfo (OIDC Core s5.3), step by step. */
@Injectable()
export class UserinfoEndpoint {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly tokens: AccessTokenLookup,
    private readonly config: Config,
  ) {}

  /** @returns the subject that the ID tokens name. Throws BearerTokenError (RFC 6750 s3.1). */
  async answer(request: FastifyRequest): Promise<UserinfoResponse> {
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
