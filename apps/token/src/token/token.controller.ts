import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientAuthenticator, getClientCertificate, readFormRequest, sendDocument } from '#libs/back-channel';
import { ClientRegistrationService } from '#libs/client-registration';
import { Clock } from '#libs/config';
import { ClientCertificateReader } from '#libs/guards';
import { assertRegisteredGrantType, parseTokenRequest, type TokenRequest } from '#libs/oauth';
import { AuthorizationCodeGrant } from './authorization-code.grant.js';
import { ClientCredentialsGrant } from './client-credentials.grant.js';
import type { GrantInput } from './grant-input.js';
import { RefreshTokenGrant } from './refresh-token.grant.js';
import type { TokenResponse } from './token-response.js';

/** POST /oauth2/token (RFC 6749 s3.2, FAPI 1.0 Advanced s5.2.2), step by step. */
@Controller('oauth2')
export class TokenController {
  constructor(
    private readonly certificates: ClientCertificateReader,
    private readonly clients: ClientRegistrationService,
    private readonly authenticator: ClientAuthenticator,
    private readonly clientCredentials: ClientCredentialsGrant,
    private readonly authorizationCode: AuthorizationCodeGrant,
    private readonly refreshToken: RefreshTokenGrant,
    private readonly clock: Clock,
  ) {}

  /** The media type of the answer depends on the request, hence the bare reply. */
  @Post('token')
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendDocument(request, reply, { status: 200, body: await this.answer(request) });
  }

  /**
   * @returns the token response
   * @throws OAuthError for every refusal
   */
  async answer(request: FastifyRequest): Promise<TokenResponse> {
    const now = this.clock.now();
    const certificate = await getClientCertificate(this.certificates, request);
    const tokenRequest = parseTokenRequest(readFormRequest(request));
    const { credentials } = tokenRequest;
    // Neither look-up needs the other: together they wait for the database once. The code or token is judged only when
    // the client has been authenticated, and redeemed under conditions of its own.
    const [found, issue] = await Promise.all([
      this.clients.findClient(credentials.clientId),
      this.#findPresented(tokenRequest),
    ]);
    const { client, assertion } = await this.authenticator.authenticate({
      client: found,
      credentials,
      certificate,
      now,
    });
    assertRegisteredGrantType(client, tokenRequest.grantType);
    const { interactionId } = request;
    return issue({ client, certificate, now, interactionId, ...(assertion && { assertion }) });
  }

  /** Looks up the code or refresh token of a request. @returns what issues the tokens to an authenticated client */
  async #findPresented(tokenRequest: TokenRequest): Promise<(established: EstablishedInput) => Promise<TokenResponse>> {
    switch (tokenRequest.grantType) {
      case 'client_credentials':
        return (established) => this.clientCredentials.issue({ ...established, tokenRequest });
      case 'authorization_code': {
        const code = await this.authorizationCode.find(tokenRequest);
        return (established) => this.authorizationCode.issue({ ...established, tokenRequest }, code);
      }
      case 'refresh_token': {
        const token = await this.refreshToken.find(tokenRequest);
        return (established) => this.refreshToken.issue({ ...established, tokenRequest }, token);
      }
    }
  }
}

/** What is established about a request of any grant. */
type EstablishedInput = Omit<GrantInput<never>, 'tokenRequest'>;
