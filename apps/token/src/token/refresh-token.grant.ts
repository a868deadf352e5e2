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
import { momentAfter } from './moment-after.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';

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
    const { tokenRequest, client, now, interactionId } = input;
    const accessToken = createRandomToken();
    const rotates = isDemanded('refresh-rotation', client, this.config.profile);
    const refreshToken = rotates ? { refreshToken: createRandomToken() } : {};
    const tokenHash = hashToken(tokenRequest.refreshToken);
    const grant = usableGrant(found, input);
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
    { client, assertion, certificate, now, interactionId }: GrantInput<RefreshTokenRequest>,
    issued: { tokenHash: Buffer; accessToken: string; refreshToken?: string; scope: readonly string[] },
  ): Promise<void> {
    const outcome = await this.refreshTokens.useRefreshToken({
      tokenHash: issued.tokenHash,
      token: {
        tokenHash: hashToken(issued.accessToken),
        clientId: client.clientId,
        scope: issued.scope,
        certificateThumbprint: certificate.thumbprint,
        issuedAt: now,
        expiresAt: momentAfter(now, this.config.token.accessTokenSeconds),
      },
      ...(issued.refreshToken !== undefined && { nextTokenHash: hashToken(issued.refreshToken) }),
      ...(assertion && { assertion }),
      now,
      interactionId,
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    if (outcome === 'TokenUsed') throw new RefreshTokenReusedError();
  }
}

/**
 * @returns undefined if its own client has used it before. Throws InvalidRefreshTokenError for every other one that is
 * not valid.
 */
function usableGrant(
  token: RefreshToken | undefined,
  { client, certificate, now }: GrantInput<RefreshTokenRequest>,
): RefreshToken | undefined {
  try {
    return verifyRefreshToken({
      token,
      client,
      isCertificateSubject: (name) => isCertificateSubject(certificate.certificate, name),
      now,
    });
  } catch (error) {
    if (error instanceof RefreshTokenReusedError) return undefined;
    throw error;
  }
}
