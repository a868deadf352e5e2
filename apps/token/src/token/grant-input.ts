import type { ClientCertificate } from '#libs/http-server';
import type { OAuthClient } from '#libs/oauth';
import type { ClientAssertionId } from '#libs/token-store';

/** What is established about a token request before its grant is handled. */
export interface GrantInput<Request> {
  tokenRequest: Request;
  /** authenticated, once its assertion is redeemed */
  client: OAuthClient;
  /** still to be redeemed, together with the effect */
  assertion?: ClientAssertionId;
  /** of the connection; the token is bound to it (RFC 8705 s3.1) */
  certificate: ClientCertificate;
  now: Date;
  /** of the request */
  interactionId: string;
}
