import type { Config } from '#libs/config';
import { createFault, grantWrong } from '#libs/error-catalogue';
import { type ActiveAccessToken, tokenRefused } from '#libs/guards';
import type { PaymentWire } from '../wire/wire.js';

/**
 * The standard or a setting says which access tokens make the payments of a kind. In any case the consent must be
 * Authorised, which requires the customer's approval.
 * @throws ObError 403
 */
export function verifyPaymentToken(
  { isPaidByCustomer }: Pick<PaymentWire, 'isPaidByCustomer'>,
  { accessToken, consentId, config }: { accessToken: ActiveAccessToken; consentId: string; config: Config },
): void {
  const tokenMode = isPaidByCustomer ? 'psu_only' : config.filePayment.tokenMode;
  const isPsuToken = accessToken.grantType === 'authorization_code';
  if ((tokenMode === 'psu_only' && !isPsuToken) || (tokenMode === 'client_only' && isPsuToken)) {
    throw tokenRefused(grantWrong(tokenMode === 'psu_only' ? 'authorization_code' : 'client_credentials'));
  }
  if (isPsuToken) assertBoundTo(accessToken, consentId);
}

/**
 * A token that a customer approved is valid only for that consent.
 * @throws ObError 403
 */
export function assertBoundTo(accessToken: Pick<ActiveAccessToken, 'consentId'>, consentId: string): void {
  if (accessToken.consentId === consentId.toLowerCase()) return;
  const detail = 'The access token was issued for another consent.';
  throw tokenRefused(createFault('Token.ConsentBinding', detail, 'Authorization'));
}
