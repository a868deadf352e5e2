import { londonDay, londonInstant } from './date-time.js';
import type { LocalInstrument } from './local-instrument.js';

/** The time of day until which a scheme takes payments for that day. */
export interface CutOffTime {
  /** `HH:MM` in London */
  readonly time: string;
  /** whether the scheme also works on weekends and holidays */
  readonly isDaily: boolean;
}

/** The cut-off times of a bank: a scheme that is not named has none. */
export interface CutOffCalendar {
  readonly times: Readonly<Partial<Record<LocalInstrument, CutOffTime>>>;
  /** days `YYYY-MM-DD` besides Saturdays and Sundays on which schemes do not work */
  readonly holidays: readonly string[];
}

/** The cut-off that counts for a payment. */
export interface CutOff {
  /** the next one that the payment can still meet */
  readonly at: Date;
  /** the day `YYYY-MM-DD` on which it is then executed */
  readonly executionDay: string;
  /** whether the payment missed the cut-off of an earlier day */
  readonly isAfter: boolean;
}

const dayMilliseconds = 86_400_000;

/**
 * @param requestedDay requested day of execution, `YYYY-MM-DD`; undefined for as soon as possible
 * @returns undefined if the scheme has no cut-off (Read/Write API 3.1.2, CutOffDateTime)
 */
export function findCutOff(options: {
  calendar: CutOffCalendar;
  localInstrument: LocalInstrument;
  requestedDay: string | undefined;
  now: Date;
}): CutOff | undefined {
  const { calendar, localInstrument, requestedDay, now } = options;
  const cutOffTime = calendar.times[localInstrument];
  if (cutOffTime === undefined) return undefined;
  const today = londonDay(now);
  const wanted = requestedDay !== undefined && requestedDay > today ? requestedDay : today;
  const isOpen = (day: string): boolean => cutOffTime.isDaily || isWorkingDay(day, calendar.holidays);
  const first = firstDay(wanted, isOpen);
  const at = londonInstant(first, cutOffTime.time);
  // A day on which the scheme does not work has no cut-off to miss.
  if (now < at) return { at, executionDay: first, isAfter: false };
  const executionDay = firstDay(nextDay(first), isOpen);
  return { at: londonInstant(executionDay, cutOffTime.time), executionDay, isAfter: true };
}

function isWorkingDay(day: string, holidays: readonly string[]): boolean {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.includes(day);
}

function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + dayMilliseconds).toISOString().slice(0, 10);
}

/** @returns the first open day from this one on; after a year of holidays any day will do */
function firstDay(day: string, isOpen: (day: string) => boolean): string {
  let candidate = day;
  for (let days = 0; days < 366 && !isOpen(candidate); days += 1) candidate = nextDay(candidate);
  return candidate;
}

const entryForm = /^(FPS|BACS|CHAPS|BalanceTransfer)=((?:[01]\d|2[0-3]):[0-5]\d)(\/daily)?$/;

/**
 * @param text entries separated by commas: `BACS=16:00`, or with weekends and holidays `FPS=23:30/daily`
 * @throws TypeError if an entry has another form
 */
export function parseCutOffTimes(text: string): CutOffCalendar['times'] {
  const times: Partial<Record<LocalInstrument, CutOffTime>> = {};
  for (const entry of text.split(',').filter((each) => each.trim() !== '')) {
    const match = entryForm.exec(entry.trim());
    if (match === null) throw new TypeError('A cut-off time must have the form BACS=16:00 or FPS=23:30/daily.');
    const [, scheme = '', time = '', daily] = match;
    times[`UK.OBIE.${scheme}` as LocalInstrument] = { time, isDaily: daily !== undefined };
  }
  return times;
}
