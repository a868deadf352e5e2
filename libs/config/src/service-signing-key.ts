import type { SigningKey } from '#libs/jws';
import type { Config } from './config.js';

/**
 * The key for the service's own signatures: answers, events, seals of the audit trail. ID tokens are signed as each
 * client registered.
 * @param config its first PS256 key is the current one (SIGNING_KEYS)
 * @throws TypeError if there is none; loadConfig has refused such a configuration
 */
export function serviceSigningKey({ signing }: Pick<Config, 'signing'>): SigningKey {
  const key = signing.keys.find(({ algorithm }) => algorithm === 'PS256');
  if (key === undefined) throw new TypeError('SIGNING_KEYS has no PS256 key, which the service needs to sign.');
  return key;
}
