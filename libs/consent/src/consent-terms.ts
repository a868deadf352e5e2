import type { Config } from '#libs/config';
import { defaultLocalInstrument, findCutOff, isLocalInstrument } from '#libs/obie-rules';
import { secondsAfter } from '#libs/persistence';
import { chargesFor } from './charges.js';
import type { Charge } from './initiation.js';

/** What the bank adds to a consent, as far as its payment type and day are known. */
export interface ConsentTerms {
  readonly charges: readonly Charge[];
  /** the next cut-off of the scheme; null when it has none */
  readonly cutOffAt: Date | null;
  /** when the consent ends before its time is over; null for never */
  readonly endsAt: Date | null;
  /** whether it comes too late; only with the strategy `reject` */
  readonly isTooLate: boolean;
}

/**
 * The two strategies of the standard (Read/Write API 3.1.2, CutOffDateTime): `accept` accepts every request and makes
 * payments after a cut-off on the scheme's next day; `reject` accepts nothing after the cut-off, and ends a consent
 * that is not consumed by then.
 * @param requestedDay requested day of execution, `YYYY-MM-DD`
 */
export function termsFor({
  localInstrument,
  requestedDay,
  config: { filePayment },
  now,
}: {
  localInstrument: string | undefined;
  requestedDay: string | undefined;
  config: Pick<Config, 'filePayment'>;
  now: Date;
}): ConsentTerms {
  const { calendar, strategy } = filePayment.cutOff;
  const scheme = localInstrument ?? defaultLocalInstrument;
  const cutOff = isLocalInstrument(scheme)
    ? findCutOff({ calendar, localInstrument: scheme, requestedDay, now })
    : undefined;
  return {
    charges: chargesFor(localInstrument, filePayment.chapsCharge),
    cutOffAt: cutOff?.at ?? null,
    endsAt: strategy === 'reject' ? (cutOff?.at ?? null) : null,
    isTooLate: strategy === 'reject' && cutOff?.isAfter === true,
  };
}

/** @returns whether a consent can no longer be used because its cut-off has passed */
export function isCutOff(cutOffAt: Date | null, config: Pick<Config, 'filePayment'>, now: Date): boolean {
  return config.filePayment.cutOff.strategy === 'reject' && cutOffAt !== null && cutOffAt <= now;
}

/**
 * SQL: when a consent becomes Rejected if it makes no progress.
 * @param seconds how long it may last
 * @param endsAt as in {@link ConsentTerms}
 */
export const consentEndSql = (now: string, seconds: string, endsAt: string): string =>
  `least(${secondsAfter(`${now}::timestamptz`, `${seconds}::integer`)}, ${endsAt})`;
