import { isLosslessNumber } from 'lossless-json';
import type { Initiation } from '#libs/consent';
import { completeDateTime, normaliseSchemeName } from '#libs/obie-rules';

/** A member of Data, at any depth, whose form in answers may differ from the request. */
const completed: Readonly<Record<string, (text: string) => string>> = {
  SchemeName: normaliseSchemeName,
  RequestedExecutionDateTime: completeDateTime,
  CompletionDateTime: completeDateTime,
  // of documents, and of reports to authorities
  RelatedDate: completeDateTime,
  Date: completeDateTime,
};

/**
 * @returns what the TPP sent, member for member, except that account schemes get their full name, date-times the form
 * of RFC 3339, and objects without a known member are omitted. SupplementaryData stays unchanged.
 */
export function toInitiation(file: Initiation): Initiation {
  const { RequestedExecutionDateTime, DebtorAccount, RemittanceInformation, ...rest } = toShown(file);
  // The order of these members in answers.
  const last = { RequestedExecutionDateTime, DebtorAccount, RemittanceInformation };
  return { ...rest, ...withoutUndefined(last) } as unknown as Initiation;
}

/** @returns the members of an object in their response form */
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
  return Object.keys(members).length === 0 ? undefined : members;
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}
