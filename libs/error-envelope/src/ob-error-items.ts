import { type BankErrorCode, bankErrorCode, type ObErrorCode } from '#libs/error-catalogue';
import type { ObErrorItem } from './ob-error.js';

/** What is said of an account whose member at fault is this (Read/Write API 3.1.2, error codes). */
export const accountFaultCodes = {
  SchemeName: 'UK.OBIE.Unsupported.Scheme',
  Identification: 'UK.OBIE.Unsupported.AccountIdentifier',
  SecondaryIdentification: 'UK.OBIE.Unsupported.AccountSecondaryIdentifier',
} as const satisfies Record<string, ObErrorCode>;

const longestText = 500;

/**
 * @param code code of the standard
 * @param message what was wrong and what to do; cut to 500 characters
 * @param path dotted JSON path without `$`, or the name of the header; cut to 500 characters
 */
export function obErrorItem(code: ObErrorCode, message: string, path?: string): ObErrorItem {
  return createItem(code, message, path);
}

/**
 * @param bankNamespace the bank's own, e.g. `UK.MYBANK`
 * @param code code of the bank's own: the standard has none for 403
 */
export function bankErrorItem(bankNamespace: string, code: BankErrorCode, message: string, path?: string): ObErrorItem {
  return createItem(bankErrorCode(bankNamespace, code), message, path);
}

function createItem(code: string, message: string, path?: string): ObErrorItem {
  return {
    ErrorCode: code,
    Message: cutText(message),
    ...(path === undefined || path === '' ? {} : { Path: cutText(path) }),
  };
}

/**
 * @returns at most 500 characters of the text. A path can hold names that the TPP made up: half of a surrogate pair, cut or sent so, is no
 * character, and not every JSON parser takes an answer that has one.
 */
export function cutText(text: string): string {
  return text.slice(0, longestText).replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** A required member is absent. */
export function fieldMissing(path: string): ObErrorItem {
  return obErrorItem('UK.OBIE.Field.Missing', `${path} is required.`, path);
}

/** A member has the wrong type, length, pattern or value. */
export function fieldInvalid(path: string, rule: string): ObErrorItem {
  return obErrorItem('UK.OBIE.Field.Invalid', `${path} ${rule}.`, path);
}

/** A date-time is not ISO 8601, or lies where it may not. */
export function fieldInvalidDate(path: string, rule: string): ObErrorItem {
  return obErrorItem('UK.OBIE.Field.InvalidDate', `${path} ${rule}.`, path);
}

/** A required header is absent or empty. */
export function headerMissing(name: string): ObErrorItem {
  return obErrorItem('UK.OBIE.Header.Missing', `The header ${name} is required.`, name);
}

/** A header has the wrong form. */
export function headerInvalid(name: string, rule: string): ObErrorItem {
  return obErrorItem('UK.OBIE.Header.Invalid', `The header ${name} ${rule}.`, name);
}
