import { hashToken } from '#libs/oauth';
import type { NewAccessToken } from '#libs/token-store';
import type { GrantInput } from './grant-input.js';
import { momentAfter } from './moment-after.js';

/** @returns what is stored of an access token, which is bound to the certificate of its request */
export function toStoredToken(
  { client, certificate, now }: Pick<GrantInput<never>, 'client' | 'certificate' | 'now'>,
  { accessToken, scope }: { accessToken: string; scope: readonly string[] },
  { accessTokenSeconds }: { readonly accessTokenSeconds: number },
): NewAccessToken {
  return {
    tokenHash: hashToken(accessToken),
    clientId: client.clientId,
    scope,
    certificateThumbprint: certificate.thumbprint,
    issuedAt: now,
    expiresAt: momentAfter(now, accessTokenSeconds),
  };
}
