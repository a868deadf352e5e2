import { type Fault, fieldInvalidDate } from '#libs/error-catalogue';
import { parseDateTime } from '#libs/obie-rules';

/** Access that would have ended before it begins is none. */
export function verifyExpiration(text: string | undefined, now: Date): Fault[] {
  const expiration = parseDateTime(text ?? '');
  return expiration === undefined || expiration > now
    ? []
    : [fieldInvalidDate('Data.ExpirationDateTime', 'must be in the future')];
}
