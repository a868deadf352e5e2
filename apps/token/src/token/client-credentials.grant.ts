import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import {
  ClientAssertionReusedError,
  type ClientCredentialsTokenRequest,
  createRandomToken,
  hashToken,
  resolveClientCredentialsScope,
} from '#libs/oauth';
import { AccessTokenStore } from '#libs/token-store';
import type { GrantInput } from './grant-input.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';
import { momentAfter } from './moment-after.js';

/** RFC 6749 s4.4. */
@Injectable()
export class ClientCredentialsGrant {
  constructor(
    private readonly tokens: AccessTokenStore,
    private readonly config: Config,
  ) {}

  /** Issues a token of the requested scope; the assertion is redeemed with it. Throws OAuthError. */
  async issue(input: GrantInput<ClientCredentialsTokenRequest>): Promise<TokenResponse> {
    const { tokenRequest, client, assertion, certificate, now } = input;
    const scope = resolveClientCredentialsScope({
      requested: tokenRequest.scope,
      client,
      profile: this.config.profile,
    });
    const { accessTokenSeconds } = this.config.token;
    const accessToken = createRandomToken();
    const outcome = await this.tokens.issueAccessToken(
      {
        tokenHash: hashToken(accessToken),
        clientId: client.clientId,
        scope,
        certificateThumbprint: certificate.thumbprint,
        issuedAt: now,
        expiresAt: momentAfter(now, accessTokenSeconds),
      },
      assertion,
    );
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    // Nobody had to agree: the client acts for itself.
    return createTokenResponse({ accessToken, expiresInSeconds: accessTokenSeconds, scope, consentedAt: now });
  }
}
