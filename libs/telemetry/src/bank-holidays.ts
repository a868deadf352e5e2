import type { Config } from '#libs/config';
import { dayMilliseconds } from './certificate-expiry.js';

/** Holidays are announced years ahead: there is time to add them. */
export const holidaysWarningDays = 60;

/** @returns the last of BANK_HOLIDAYS; undefined where there is none, or the process does not read them */
export function lastHoliday(config: Config, now: Date): { last: string; days: number } | undefined {
  if (!config.reads('BANK_HOLIDAYS')) return undefined;
  const last = config.filePayment.cutOff.calendar.holidays.toSorted().at(-1);
  return last === undefined ? undefined : { last, days: (Date.parse(last) - now.getTime()) / dayMilliseconds };
}
