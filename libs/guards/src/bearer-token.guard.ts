import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Fault, grantWrong, scopeInsufficient } from '#libs/error-catalogue';
import { BodilessError, ObError } from '#libs/error-envelope';
import { bearerChallenge, parseBearerAuthorization } from '#libs/oauth';
import { AccessTokenLookup, type ActiveAccessToken } from './access-token-lookup.js';
import { singleHeader } from './api-request.js';

/** The demands of a route on the access token. */
export interface TokenRequirement {
  /** scope that must be among the token's */
  readonly scope: string;
  readonly grantTypes: readonly ActiveAccessToken['grantType'][];
}

const requirementKey = 'token-requirement';

/** Declares which access tokens a route accepts. A route without this declaration accepts none. */
export const RequireToken = (requirement: TokenRequirement): MethodDecorator & ClassDecorator =>
  SetMetadata(requirementKey, requirement);

/**
 * Bearer token of RFC 6750, bound to the certificate of this connection (RFC 8705 s3), with the scope and the grant
 * that the route demands. The ClientCertificateGuard runs before it.
 */
@Injectable()
export class BearerTokenGuard implements CanActivate {
  constructor(
    private readonly tokens: AccessTokenLookup,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const requirement = this.reflector.getAllAndOverride<TokenRequirement | undefined>(requirementKey, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (requirement === undefined) throw new TypeError('The route does not declare which access tokens it accepts.');

    const token = parseBearerToken(request);
    const accessToken = await this.tokens.find(token);
    if (accessToken === undefined) throw invalidToken('unknown, expired or revoked');
    // RFC 8705 s3: the token must be bound to the certificate of this connection.
    if (accessToken.certificateThumbprint !== request.clientCertificate?.thumbprint) {
      throw invalidToken('bound to a different certificate');
    }
    // The client is known, even where its token does not suffice.
    request.accessToken = accessToken;
    const { scope, grantTypes } = requirement;
    if (!accessToken.scope.includes(scope)) throw tokenRefused(scopeInsufficient(scope));
    if (!grantTypes.includes(accessToken.grantType)) throw tokenRefused(grantWrong(...grantTypes));
    return true;
  }
}

/** RFC 6750 s3.1, insufficient_scope; the codes are the bank's own, the standard has none for 403. */
export function tokenRefused(...faults: readonly Fault[]): ObError {
  return new ObError(403, 'The access token does not allow this operation.', faults);
}

/** RFC 6750 s2.1: only the header counts. */
function parseBearerToken(request: FastifyRequest): string {
  const { value, isRepeated } = singleHeader(request, 'authorization');
  if (value === undefined || value === '') {
    throw new BodilessError(401, 'no access token', { 'www-authenticate': bearerChallenge }, 'token-missing');
  }
  const token = parseBearerAuthorization(value);
  if (isRepeated || token === undefined) throw invalidToken('not a bearer token', 'token-malformed');
  return token;
}

/** @returns RFC 6750 s3.1, invalid_token */
export function invalidToken(detail: string, reason: 'token' | 'token-malformed' = 'token'): BodilessError {
  const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
  return new BodilessError(401, `access token: ${detail}`, headers, reason);
}
