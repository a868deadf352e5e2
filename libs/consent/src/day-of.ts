import { londonDay, parseDateTime } from '#libs/obie-rules';

/** @returns the day in London of a valid date-time */
export function dayOf(dateTime: string | undefined): string | undefined {
  const date = dateTime === undefined ? undefined : parseDateTime(dateTime);
  return date === undefined ? undefined : londonDay(date);
}
