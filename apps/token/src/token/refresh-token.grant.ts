import { Injectable } from '@nestjs/common';
import { isCertificateSubject } from '#libs/back-channel';
import { Config } from '#libs/config';
import {
  ClientAssertionReusedError,
  createRandomToken,
  hashToken,
  InvalidRefreshTokenError,
  isDemanded,
  type RefreshTokenRequest,
  RefreshTokenReusedError,
  resolveRefreshedScope,
  verifyRefreshToken,
} from '#libs/oauth';
import { RefreshTokenStore, type RefreshToken } from '#libs/token-store';
import { CustomerStanding } from './customer-standing.service.js';
import type { GrantInput } from './grant-input.js';
import { toStoredToken } from './to-stored-token.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';
import { unlessReused } from './unless-reused.js';

/**
 * RFC 6749 s6: a refresh token is exchanged for access tokens or, where the bank rotates refresh tokens, once for an
 * access token and the next refresh token.
 */
@Injectable()
export class RefreshTokenGrant {
  constructor(
    private readonly refreshTokens: RefreshTokenStore,
    private readonly standing: CustomerStanding,
    private readonly config: Config,
  ) {}

  /** @returns the token of the request, of any client, and valid or not */
  find({ refreshToken }: RefreshTokenRequest): Promise<RefreshToken | undefined> {
    return this.refreshTokens.findRefreshToken(hashToken(refreshToken));
  }

  /**
   * Issues the tokens for what the customer approved, or less. No ID token: nobody has authenticated (OIDC Core s12.2).
   * Throws OAuthError.
   * @param found the refresh token of the request
   */
  async issue(input: GrantInput<RefreshTokenRequest>, found: RefreshToken | undefined): Promise<TokenResponse> {
    const { tokenRequest, client, certificate, now, interactionId } = input;
    const accessToken = createRandomToken();
    const rotates = isDemanded('refresh-rotation', client, this.config.profile);
    const refreshToken = rotates ? { refreshToken: createRandomToken() } : {};
    const tokenHash = hashToken(tokenRequest.refreshToken);
    const isOfSubject = (name: string): boolean => isCertificateSubject(certificate.certificate, name);
    const grant = unlessReused(() =>
      verifyRefreshToken({ token: found, client, isCertificateSubject: isOfSubject, now }),
    );
    if (grant === undefined) {
      // The store finds it used and ends its grant, provided that the assertion is fresh.
      await this.#use(input, { tokenHash, accessToken, ...refreshToken, scope: [] });
      throw new RefreshTokenReusedError();
    }
    const scope = resolveRefreshedScope({ requested: tokenRequest.scope, granted: grant.scope, client });
    const { psuId, grantHash } = grant;
    const approval = { psuId, grantHash, clientId: client.clientId, now, interactionId };
    await this.standing.assertGood(approval, (reason) => new InvalidRefreshTokenError({ reason, detail: reason }));
    await this.#use(input, { tokenHash, accessToken, ...refreshToken, scope });
    const { consentedAt } = grant;
    const expiresInSeconds = this.config.token.accessTokenSeconds;
    return createTokenResponse({ accessToken, expiresInSeconds, scope, consentedAt, ...refreshToken });
  }

  async #use(
    input: GrantInput<RefreshTokenRequest>,
    issued: { tokenHash: Buffer; accessToken: string; refreshToken?: string; scope: readonly string[] },
  ): Promise<void> {
    const { assertion, now, interactionId } = input;
    const outcome = await this.refreshTokens.useRefreshToken({
      tokenHash: issued.tokenHash,
      token: toStoredToken(input, issued, this.config.token),
      ...(issued.refreshToken !== undefined && { nextTokenHash: hashToken(issued.refreshToken) }),
      ...(assertion && { assertion }),
      now,
      interactionId,
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    if (outcome === 'TokenUsed') throw new RefreshTokenReusedError();
  }
}
