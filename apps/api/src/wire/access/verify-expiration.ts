import { type Fault, fieldInvalidDate } from '#libs/error-catalogue';
import { parseDateTime } from '#libs/obie-rules';

export const expirationPast = fieldInvalidDate('Data.ExpirationDateTime', 'must be in the future');

/** Access must not end before it begins. */
export function verifyExpiration(text: string | undefined, now: Date): Fault[] {
  const expiration = parseDateTime(text ?? '');
  return expiration === undefined || expiration > now ? [] : [expirationPast];
}
