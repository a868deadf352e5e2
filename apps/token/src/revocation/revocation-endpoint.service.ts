import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ClientAuthenticator, getClientCertificate, readFormRequest } from '#libs/back-channel';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { ClientAssertionReusedError, hashToken, parseRevocationRequest } from '#libs/oauth';
import { TokenRevocation } from '#libs/token-store';

/** POST /oauth2/revoke (RFC 7009), step by step. The client authenticates as at the token endpoint. */
@Injectable()
export class RevocationEndpoint {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly clients: ClientRegistrationService,
    private readonly authenticator: ClientAuthenticator,
    private readonly revocation: TokenRevocation,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves once the token is no longer usable, whether it was of any before or not (RFC 7009 s2.2). Throws
   * OAuthError.
   */
  async revoke(request: FastifyRequest): Promise<void> {
    const now = this.clock.now();
    const certificate = await getClientCertificate(this.certificates, request);
    const { credentials, token } = parseRevocationRequest(readFormRequest(request));
    const found = await this.clients.findClient(credentials.clientId);
    const { client, assertion } = await this.authenticator.authenticate({
      client: found,
      credentials,
      certificate,
      now,
    });
    const outcome = await this.revocation.revokeToken({
      tokenHash: hashToken(token),
      clientId: client.clientId,
      ...(assertion && { assertion }),
      now,
      interactionId: request.interactionId,
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
  }
}
