import { Injectable } from '@nestjs/common';
import { distinguishedNameOf, formatDistinguishedName } from '#libs/certificates';
import { Config } from '#libs/config';
import {
  AuthorizationCodeReusedError,
  type AuthorizationCodeTokenRequest,
  ClientAssertionReusedError,
  createRandomToken,
  hashToken,
  InvalidGrantError,
  isRefreshable,
  verifyAuthorizationCode,
} from '#libs/oauth';
import { AuthorizationCodeStore, type AuthorizationCode, type NewRefreshToken } from '#libs/token-store';
import { createCodeIdToken } from './create-code-id-token.js';
import { CustomerStanding } from './customer-standing.service.js';
import type { GrantInput } from './grant-input.js';
import { momentAfter } from './moment-after.js';
import { toStoredToken } from './to-stored-token.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';
import { unlessReused } from './unless-reused.js';

/** RFC 6749 s4.1.3, OIDC Core s3.1.3. */
@Injectable()
export class AuthorizationCodeGrant {
  constructor(
    private readonly codes: AuthorizationCodeStore,
    private readonly standing: CustomerStanding,
    private readonly config: Config,
  ) {}

  /** @returns the code of the request, of any client, and valid or not */
  find({ code }: AuthorizationCodeTokenRequest): Promise<AuthorizationCode | undefined> {
    return this.codes.findAuthorizationCode(hashToken(code));
  }

  /**
   * Exchanges the code for a token of the scope it was issued for, and an ID token with `openid`. Throws OAuthError.
   * @param found the code of the request
   */
  async issue(
    input: GrantInput<AuthorizationCodeTokenRequest>,
    found: AuthorizationCode | undefined,
  ): Promise<TokenResponse> {
    const { tokenRequest, client, now, interactionId } = input;
    const codeHash = hashToken(tokenRequest.code);
    const accessToken = createRandomToken();
    const { redirectUri, codeVerifier } = tokenRequest;
    const { profile } = this.config;
    const code = unlessReused(() =>
      verifyAuthorizationCode({ code: found, client, redirectUri, codeVerifier, profile, now }),
    );
    if (code === undefined) {
      // The redemption finds it used and revokes its tokens, provided that the assertion is fresh.
      await this.#redeem(input, { codeHash, accessToken, scope: [], refreshToken: undefined });
      throw new AuthorizationCodeReusedError();
    }
    const { scope, consentedAt, psuId } = code;
    const approval = { psuId, grantHash: codeHash, clientId: client.clientId, now, interactionId };
    await this.standing.assertGood(approval, (reason) => new InvalidGrantError({ reason, detail: reason }));
    const refreshToken = this.#createRefreshToken(code, input);
    // Signed first: a key that cannot be used must not cost the client its code, and the customer the approval.
    const idToken = await createCodeIdToken({ code, client, accessToken, config: this.config, now });
    await this.#redeem(input, { codeHash, accessToken, scope, refreshToken: refreshToken?.stored });
    const expiresInSeconds = this.config.token.accessTokenSeconds;
    return createTokenResponse({
      accessToken,
      expiresInSeconds,
      scope,
      consentedAt,
      ...(idToken && { idToken }),
      ...(refreshToken && { refreshToken: refreshToken.text }),
    });
  }

  /** @returns undefined if nothing lasts beyond the access token */
  #createRefreshToken(
    { scope, consentedAt }: AuthorizationCode,
    { client, certificate }: GrantInput<AuthorizationCodeTokenRequest>,
  ): { text: string; stored: NewRefreshToken } | undefined {
    if (!isRefreshable({ client, scope })) return undefined;
    const text = createRandomToken();
    const stored = {
      tokenHash: hashToken(text),
      certificateSubject: formatDistinguishedName(distinguishedNameOf(certificate.certificate)),
      expiresAt: momentAfter(consentedAt, this.config.token.refreshTokenSeconds),
    };
    return { text, stored };
  }

  async #redeem(
    input: GrantInput<AuthorizationCodeTokenRequest>,
    redemption: {
      codeHash: Buffer;
      accessToken: string;
      scope: readonly string[];
      refreshToken: NewRefreshToken | undefined;
    },
  ): Promise<void> {
    const { codeHash, refreshToken } = redemption;
    const { assertion, interactionId } = input;
    const outcome = await this.codes.redeemAuthorizationCode({
      codeHash,
      token: toStoredToken(input, redemption, this.config.token),
      refreshToken,
      assertion,
      interactionId,
    });
    if (outcome === 'AssertionReplayed') throw new ClientAssertionReusedError();
    if (outcome === 'CodeUsed') throw new AuthorizationCodeReusedError();
  }
}
