import type { ClientCertificate } from '#libs/http-server';
import type { OAuthClient } from '#libs/oauth';
import type { ClientAssertionId } from '#libs/token-store';

/** What has been established about a token request before its grant is looked at. */
export interface GrantInput<Request> {
  tokenRequest: Request;
  /** authenticated, apart from the assertion */
  client: OAuthClient;
  /** still to be redeemed, together with the effect */
  assertion?: ClientAssertionId;
  /** of the connection; the token is bound to it (RFC 8705 s3.1) */
  certificate: ClientCertificate;
  now: Date;
  /** of the request */
  interactionId: string;
}
