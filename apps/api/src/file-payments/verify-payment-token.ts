import type { Config } from '#libs/config';
import type { BankErrorCode } from '#libs/error-catalogue';
import { bankErrorItem, ObError } from '#libs/error-envelope';
import type { ActiveAccessToken } from '#libs/guards';

/**
 * Which access tokens POST /file-payments takes: a setting. The consent must be Authorised in any
 * case, which only the customer can bring about.
 * @throws ObError 403
 */
export function verifyPaymentToken({
  accessToken,
  consentId,
  config,
}: {
  accessToken: ActiveAccessToken;
  consentId: string;
  config: Config;
}): void {
  const { tokenMode } = config.filePayment;
  const namespace = config.bank.errorNamespace;
  const isPsuToken = accessToken.grantType === 'authorization_code';
  if ((tokenMode === 'psu_only' && !isPsuToken) || (tokenMode === 'client_only' && isPsuToken)) {
    const grant = tokenMode === 'psu_only' ? 'authorization_code' : 'client_credentials';
    throw forbidden(namespace, 'Token.WrongGrant', `This operation needs an access token of the grant ${grant}.`);
  }
  // A token that a customer approved is good for the very consent it was approved for.
  if (isPsuToken && accessToken.consentId !== consentId.toLowerCase()) {
    throw forbidden(namespace, 'Token.ConsentBinding', 'The access token was issued for another consent.');
  }
}

function forbidden(namespace: string, code: BankErrorCode, message: string): ObError {
  return new ObError(403, 'The access token does not allow this operation.', [
    bankErrorItem(namespace, code, message, 'Authorization'),
  ]);
}
