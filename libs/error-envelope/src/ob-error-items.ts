import type { ObErrorItem } from './ob-error.js';

/** Error codes of the standard that this service answers with (OBErrorResponse1, namespaced enumerations). */
export type ObErrorCode =
  | 'UK.OBIE.Field.Expected'
  | 'UK.OBIE.Field.Invalid'
  | 'UK.OBIE.Field.InvalidDate'
  | 'UK.OBIE.Field.Missing'
  | 'UK.OBIE.Field.Unexpected'
  | 'UK.OBIE.Header.Invalid'
  | 'UK.OBIE.Header.Missing'
  | 'UK.OBIE.Resource.ConsentMismatch'
  | 'UK.OBIE.Resource.InvalidConsentStatus'
  | 'UK.OBIE.Resource.InvalidFormat'
  | 'UK.OBIE.Resource.NotFound'
  | 'UK.OBIE.Rules.AfterCutOffDateTime'
  | 'UK.OBIE.Rules.ResourceAlreadyExists'
  | 'UK.OBIE.Signature.Invalid'
  | 'UK.OBIE.Signature.InvalidClaim'
  | 'UK.OBIE.Signature.Malformed'
  | 'UK.OBIE.Signature.Missing'
  | 'UK.OBIE.Signature.MissingClaim'
  | 'UK.OBIE.UnexpectedError'
  | 'UK.OBIE.Unsupported.AccountIdentifier'
  | 'UK.OBIE.Unsupported.AccountSecondaryIdentifier'
  | 'UK.OBIE.Unsupported.Currency'
  | 'UK.OBIE.Unsupported.LocalInstrument'
  | 'UK.OBIE.Unsupported.Scheme';

const longestText = 500;

/**
 * @param code code of the standard, or one of the bank's own namespace
 * @param message what was wrong and what to do; cut to 500 characters
 * @param path dotted JSON path without `$`, or the name of the header; cut to 500 characters
 */
export function obErrorItem(code: ObErrorCode | `UK.${string}`, message: string, path?: string): ObErrorItem {
  return {
    ErrorCode: code,
    Message: message.slice(0, longestText),
    ...(path === undefined || path === '' ? {} : { Path: path.slice(0, longestText) }),
  };
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
