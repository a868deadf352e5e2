import type { Config } from '#libs/config';
import { defaultLocalInstrument, findCutOff, isLocalInstrument } from '#libs/obie-rules';
import { chargesFor } from './charges.js';
import type { Charge } from './initiation.js';

/** What the bank adds to a consent by itself, as far as its payment type and day are known. */
export interface ConsentTerms {
  readonly charges: readonly Charge[];
  /** the next cut-off of the scheme; null when it has none */
  readonly cutOffAt: Date | null;
  /** without progress until then, the consent becomes Rejected */
  readonly expiresAt: Date;
  /** whether it comes too late: only under the strategy that rejects then */
  readonly isTooLate: boolean;
}

/**
 * The two strategies of the standard (Read/Write API 3.1.2, CutOffDateTime): `accept` takes everything, and payments after a cut-off are made on
 * the scheme's next day; `reject` takes nothing after it, and a consent that is not consumed by then is over.
 * @param requestedDay day `YYYY-MM-DD` of execution that was asked for
 */
export function termsFor({
  localInstrument,
  requestedDay,
  config: { consent, filePayment },
  now,
}: {
  localInstrument: string | undefined;
  requestedDay: string | undefined;
  config: Pick<Config, 'consent' | 'filePayment'>;
  now: Date;
}): ConsentTerms {
  const { calendar, strategy } = filePayment.cutOff;
  const scheme = localInstrument ?? defaultLocalInstrument;
  const cutOff = isLocalInstrument(scheme)
    ? findCutOff({ calendar, localInstrument: scheme, requestedDay, now })
    : undefined;
  const expiresAt = new Date(now.getTime() + consent.expirySeconds * 1_000);
  const isOverAtCutOff = strategy === 'reject' && cutOff !== undefined && cutOff.at < expiresAt;
  return {
    charges: chargesFor(localInstrument, filePayment.chapsCharge),
    cutOffAt: cutOff?.at ?? null,
    expiresAt: isOverAtCutOff ? cutOff.at : expiresAt,
    isTooLate: strategy === 'reject' && cutOff?.isAfter === true,
  };
}

/** @returns whether nothing more may be done with a consent because its cut-off has passed */
export function isCutOff(cutOffAt: Date | null, config: Pick<Config, 'filePayment'>, now: Date): boolean {
  return config.filePayment.cutOff.strategy === 'reject' && cutOffAt !== null && cutOffAt <= now;
}
