const form =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,20})?)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/i;

/**
 * Parses an ISO 8601 date-time in any of the variants a TPP may send: with or without seconds, fractions and offset.
 * Without a zone it is read as UTC.
 * @returns undefined if it is not a date-time of the calendar
 */
export function parseDateTime(text: string): Date | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '0', zone = 'Z'] = match;
  const utc = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(utc);
  // Date.UTC carries 30 February over into March; the standard's calendar has no such day.
  const isOnCalendar =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60;
  return isOnCalendar ? new Date(utc - offsetMilliseconds(zone)) : undefined;
}

function offsetMilliseconds(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}

const complete = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Answers carry date-times as RFC 3339 s5.6 has them: with seconds, a full stop before their fraction, a zone (by
 * default UTC) and a colon in its offset.
 * @param text a date-time in any accepted form
 * @returns the text itself if it is complete, else the same instant in complete form
 */
export function completeDateTime(text: string): string {
  if (complete.test(text)) return text;
  const match = form.exec(text);
  if (match === null) return text;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', zone = '+00:00'] = match;
  const fraction = /[.,](\d+)/.exec(text)?.[1];
  const seconds = fraction === undefined ? second : `${second}.${fraction}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${seconds}${completeZone(zone)}`;
}

function completeZone(zone: string): string {
  if (zone.toUpperCase() === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.charAt(0)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

/** @returns `YYYY-MM-DDTHH:mm:ss+00:00`, the form of every date-time that this service makes */
export function formatDateTime(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}

const london = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The last result: a file asks for the day of one instant up to 150 times, and formatting is slow. */
let last = { time: Number.NaN, day: '' };

/** @returns the calendar day in London, `YYYY-MM-DD`, by which execution dates are compared */
export function londonDay(date: Date): string {
  const time = date.getTime();
  // A year before 1000 would have fewer digits, and sort after this one as text.
  if (time !== last.time) last = { time, day: london.format(date).padStart('YYYY-MM-DD'.length, '0') };
  return last.day;
}

const londonTime = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: '2-digit', minute: '2-digit' });

/**
 * @param day `YYYY-MM-DD`
 * @param time `HH:MM` on London's clocks
 * @returns the instant; for a time that the clocks skip, the instant an hour later
 */
export function londonInstant(day: string, time: string): Date {
  const winter = new Date(`${day}T${time}:00Z`);
  const summer = new Date(winter.getTime() - 3_600_000);
  return londonTime.format(summer) === time ? summer : winter;
}
