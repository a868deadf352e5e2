import { type Fault, fieldInvalidDate } from '#libs/error-catalogue';
import { parseDateTime } from '#libs/obie-rules';

/** Access must not end before it begins. */
export function verifyExpiration(text: string | undefined, now: Date): Fault[] {
  const expiration = parseDateTime(text ?? '');
  return expiration === undefined || expiration > now
    ? []
    : [fieldInvalidDate('Data.ExpirationDateTime', 'must be in the future')];
}
