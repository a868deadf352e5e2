import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import {
  ClientAssertionReusedError,
  type ClientCredentialsTokenRequest,
  createRandomToken,
  resolveClientCredentialsScope,
} from '#libs/oauth';
import { AccessTokenStore } from '#libs/token-store';
import type { GrantInput } from './grant-input.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';
import { toStoredToken } from './to-stored-token.js';

/** RFC 6749 s4.4. */
@Injectable()
export class ClientCredentialsGrant {
  constructor(
    private readonly tokens: AccessTokenStore,
    private readonly config: Config,
  ) {}

  /** Issues a token of the requested scope; the assertion is redeemed with it. Throws OAuthError. */
  async issue(input: GrantInput<ClientCredentialsTokenRequest>): Promise<TokenResponse> {
    const { tokenRequest, client, assertion, now } = input;
    const scope = resolveClientCredentialsScope({
      requested: tokenRequest.scope,
      client,
      profile: this.config.profile,
    });
    const accessToken = createRandomToken();
    const stored = toStoredToken(input, { accessToken, scope }, this.config.token);
    const outcome = await this.tokens.issueAccessToken(stored, assertion);
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    // Nobody had to agree: the client acts for itself.
    const expiresInSeconds = this.config.token.accessTokenSeconds;
    return createTokenResponse({ accessToken, expiresInSeconds, scope, consentedAt: now });
  }
}
