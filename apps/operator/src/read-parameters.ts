import { InvalidArgumentError } from 'commander';
import { isUuid } from '#libs/obie-rules';
import type { AuditHead } from './command.js';
import { nameOfActor } from './name-of-actor.js';

// Each reads one parameter, and throws InvalidArgumentError for what it cannot be.

/** Texts that go to the audit events, in characters. */
const maxText = 500;
export const dayMilliseconds = 86_400_000;

export function readText(text: string): string {
  if (text.trim() !== '' && text.length <= maxText && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidArgumentError(`It must be text of 1 to ${maxText} characters on one line.`);
}

export function readName(text: string): string {
  return readText(nameOfActor(readText(text)));
}

export function readUuid(text: string): string {
  if (isUuid(text.toLowerCase())) return text.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

export function readHexId(text: string): string {
  if (/^[0-9a-f]{32}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be 32 hexadecimal digits.');
}

export function readPsuId(text: string): string {
  if (/^[^\p{Cc}]{1,128}$/u.test(text)) return text;
  throw new InvalidArgumentError('It must be the id of a customer at the bank, of 1 to 128 characters.');
}

/**
 * @returns the moment that `2026-11-22` (UTC) or `2026-11-22T10:00:00Z` says, or the days that `7` says
 * @throws InvalidArgumentError for any other text, and for a moment in the future
 */
export function readSince(text: string, now: Date): Date | number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  const moment = isDateTime(text) ? new Date(text) : undefined;
  if (moment !== undefined && moment <= now) return moment;
  throw new InvalidArgumentError(
    'It must be a date, a date-time with its zone, or a number of days, and not be in the future.',
  );
}

/** @throws InvalidArgumentError unless it is a day that has ended */
export function readPastDay(text: string, now: Date): string {
  if (text.length === 10 && isDateTime(text) && Date.parse(text) + dayMilliseconds <= now.getTime()) return text;
  throw new InvalidArgumentError('It must be a day that has ended, such as 2026-11-22.');
}

export function readHttpUrl(text: string): URL {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new InvalidArgumentError('It must be an http or https URL.');
}

function isDateTime(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00Z`);
  // The engine accepts 31 February as a day of March.
  return Number.isFinite(Date.parse(text)) && day.toISOString().startsWith(text.slice(0, 10));
}

/**
 * @param text `NUMBER:HASH`
 * @throws InvalidArgumentError
 */
export function readAuditHead(text: string): AuditHead {
  const [, number, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined) throw new InvalidArgumentError('It must be NUMBER:HASH of a seal.');
  return { number: Number(number), hash };
}
