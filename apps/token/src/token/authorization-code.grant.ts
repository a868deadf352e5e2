import { Injectable } from '@nestjs/common';
import { Config } from '#libs/config';
import {
  AuthorizationCodeReusedError,
  InvalidClientError,
  createRandomToken,
  hashToken,
  type AuthorizationCodeTokenRequest,
} from '#libs/oauth';
import { AuthorizationCodeStore } from '#libs/token-store';
import { createCodeIdToken } from './create-code-id-token.js';
import type { GrantInput } from './grant-input.js';
import { redeemableCode } from './redeemable-code.js';
import { secondsAfter } from './seconds-after.js';
import { createTokenResponse, type TokenResponse } from './token-response.js';

/** RFC 6749 s4.1.3, OIDC Core s3.1.3. */
@Injectable()
export class AuthorizationCodeGrant {
  readonly #codes: AuthorizationCodeStore;
  readonly #config: Config;

  constructor(codes: AuthorizationCodeStore, config: Config) {
    this.#codes = codes;
    this.#config = config;
  }

  /** Exchanges the code for a token of the scope it was issued for, and an ID token with `openid`. Throws OAuthError. */
  async issue(input: GrantInput<AuthorizationCodeTokenRequest>): Promise<TokenResponse> {
    const { tokenRequest, client, now } = input;
    const codeHash = hashToken(tokenRequest.code);
    const found = await this.#codes.findAuthorizationCode(codeHash);
    const accessToken = createRandomToken();
    const code = redeemableCode({ code: found, client, tokenRequest, now });
    if (code === undefined) {
      // The redemption finds it used and revokes what came from it, if only the assertion is a fresh one.
      await this.#redeem(input, { codeHash, accessToken, scope: [] });
      throw new AuthorizationCodeReusedError();
    }
    const { scope, consentedAt } = code;
    const [idToken] = await Promise.all([
      createCodeIdToken({ code, client, accessToken, config: this.#config, now }),
      this.#redeem(input, { codeHash, accessToken, scope }),
    ]);
    const expiresInSeconds = this.#config.token.accessTokenSeconds;
    return createTokenResponse({ accessToken, expiresInSeconds, scope, consentedAt, ...(idToken && { idToken }) });
  }

  async #redeem(
    { client, assertion, certificateThumbprint, now }: GrantInput<AuthorizationCodeTokenRequest>,
    { codeHash, accessToken, scope }: { codeHash: Buffer; accessToken: string; scope: readonly string[] },
  ): Promise<void> {
    const outcome = await this.#codes.redeemAuthorizationCode({
      codeHash,
      token: {
        tokenHash: hashToken(accessToken),
        clientId: client.clientId,
        scope,
        certificateThumbprint,
        issuedAt: now,
        expiresAt: secondsAfter(now, this.#config.token.accessTokenSeconds),
      },
      ...(assertion && { assertion }),
      now,
    });
    if (outcome === 'AssertionReplayed') throw new InvalidClientError({ detail: 'assertion: jti was used before' });
    if (outcome === 'CodeUsed') throw new AuthorizationCodeReusedError();
  }
}
