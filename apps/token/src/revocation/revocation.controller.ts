import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientAuthenticator, getClientCertificate, readFormRequest, uncached } from '#libs/back-channel';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { ClientAssertionReusedError, hashToken, parseRevocationRequest } from '#libs/oauth';
import { TokenRevocation } from '#libs/token-store';

/** POST /oauth2/revoke (RFC 7009), step by step. The client authenticates as at the token endpoint. */
@Controller('oauth2')
export class RevocationController {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly clients: ClientRegistrationService,
    private readonly authenticator: ClientAuthenticator,
    private readonly revocation: TokenRevocation,
    private readonly clock: Clock,
  ) {}

  /** Answers 200 without a body, whether or not the token was valid (RFC 7009 s2.2). Throws OAuthError. */
  @Post('revoke')
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const now = this.clock.now();
    const certificate = await getClientCertificate(this.certificates, request);
    const { credentials, token } = parseRevocationRequest(readFormRequest(request));
    const found = await this.clients.findClient(credentials.clientId);
    const presented = { client: found, credentials, certificate, now };
    const { client, assertion } = await this.authenticator.authenticate(presented);
    const outcome = await this.revocation.revokeToken({
      tokenHash: hashToken(token),
      clientId: client.clientId,
      ...(assertion && { assertion }),
      now,
      interactionId: request.interactionId,
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    void reply.status(200).headers(uncached).send();
  }
}
