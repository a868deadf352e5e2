import type { Config } from '#libs/config';
import { BodilessError } from '#libs/error-envelope';

/**
 * 401 of registration management. One challenge for each accepted scheme (RFC 9110 s11.6.1). Bearer comes first: the
 * standard has no other.
 * @param detail for the log only
 */
export function unauthorized(detail: string, { managementBasic }: Config['registration']): BodilessError {
  const bearer = 'Bearer realm="registration", error="invalid_token"';
  const headers = { 'www-authenticate': managementBasic ? [bearer, 'Basic realm="registration"'] : bearer };
  return new BodilessError(401, `registration management: ${detail}`, headers, 'management');
}
