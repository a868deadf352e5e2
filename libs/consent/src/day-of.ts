import { londonDay, parseDateTime } from '#libs/obie-rules';

/** @returns the day in London of a date-time that is known to be one */
export function dayOf(dateTime: string | undefined): string | undefined {
  const date = dateTime === undefined ? undefined : parseDateTime(dateTime);
  return date === undefined ? undefined : londonDay(date);
}
