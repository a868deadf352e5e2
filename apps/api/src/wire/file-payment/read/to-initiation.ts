import { isLosslessNumber } from 'lossless-json';
import type { Initiation } from '#libs/consent';
import { completeDateTime, normaliseSchemeName } from '#libs/obie-rules';

/** A member of Data.Initiation at any depth that answers carry in another form than it may have been sent in. */
const completed: Readonly<Record<string, (text: string) => string>> = {
  SchemeName: normaliseSchemeName,
  RequestedExecutionDateTime: completeDateTime,
};

/**
 * @returns what the TPP sent, member for member; only account schemes get their full name and date-times the form of RFC 3339,
 * because every answer carries both, and objects of which no member is known are left out, because no answer has an
 * object without members. SupplementaryData stays as it was sent.
 */
export function toInitiation(file: Initiation): Initiation {
  const { RequestedExecutionDateTime, DebtorAccount, RemittanceInformation, ...rest } = toShown(file);
  // In the order in which these members have always been shown.
  const last = { RequestedExecutionDateTime, DebtorAccount, RemittanceInformation };
  return { ...rest, ...withoutUndefined(last) } as unknown as Initiation;
}

/** @returns the members of an object as answers carry them */
export function toShown(object: object): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, sent] of Object.entries(object)) {
    const value = name === 'SupplementaryData' ? (sent as unknown) : toValue(name, sent);
    if (value !== undefined) members[name] = value;
  }
  return members;
}

function toValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return completed[name]?.(value) ?? value;
  if (Array.isArray(value)) {
    const kept = value.map((entry) => toValue(name, entry)).filter((entry) => entry !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return value;
  const members = toShown(value);
  return isEmpty(members) ? undefined : members;
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

/** @returns whether an object of a body is absent, or has no member that the standard knows */
export function isEmpty(object: object | undefined): boolean {
  return object === undefined || Object.values(object).every((member) => member === undefined);
}
