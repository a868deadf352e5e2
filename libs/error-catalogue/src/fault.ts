import { bankErrorCode, bankErrors, type BankErrorCode } from './bank-errors.js';
import type { ObErrorCode } from './ob-errors.js';

type WithoutNamespace<Code> = Code extends `UK.OBIE.${infer Name}` ? Name : never;

/** Why a request is refused, independent of API version and bank; each wire format has its own code for it. */
export type FaultCode = WithoutNamespace<ObErrorCode> | BankErrorCode;

/** One fault of a request. */
export interface Fault {
  readonly code: FaultCode;
  /** a sentence: what is wrong, and the rule */
  readonly detail: string;
  /** dotted path of the member without `$`, or the name of the header */
  readonly path?: string;
}

/** The fault code of an account, by the faulty member. */
export const accountFaultCodes = {
  SchemeName: 'Unsupported.Scheme',
  Identification: 'Unsupported.AccountIdentifier',
  SecondaryIdentification: 'Unsupported.AccountSecondaryIdentifier',
} as const satisfies Record<string, FaultCode>;

/** @param path empty for none */
export function createFault(code: FaultCode, detail: string, path = ''): Fault {
  return { code, detail, ...(path === '' ? {} : { path }) };
}

/** A required member is absent. */
export function fieldMissing(path: string): Fault {
  return createFault('Field.Missing', `${path} is required.`, path);
}

/** A member has the wrong type, length, pattern or value. */
export function fieldInvalid(path: string, rule: string): Fault {
  return createFault('Field.Invalid', `${path} ${rule}.`, path);
}

/** A member that its object does not have. */
export function fieldUnexpected(path: string, rule = 'is not a member of this object'): Fault {
  return createFault('Field.Unexpected', `${path} ${rule}.`, path);
}

/** A date-time is not ISO 8601, or is out of range. */
export function fieldInvalidDate(path: string, rule: string): Fault {
  return createFault('Field.InvalidDate', `${path} ${rule}.`, path);
}

/** A required header is absent or empty. */
export function headerMissing(name: string): Fault {
  return createFault('Header.Missing', `The header ${name} is required.`, name);
}

/** A header has the wrong form. */
export function headerInvalid(name: string, rule: string): Fault {
  return createFault('Header.Invalid', `The header ${name} ${rule}.`, name);
}

/** Payments are made, and funds confirmed, in one currency. */
export function currencyUnsupported(path: string): Fault {
  return createFault('Unsupported.Currency', `${path} must be GBP.`, path);
}

/** The access token was issued for other operations. */
export function scopeInsufficient(scope: string): Fault {
  const detail = `This operation needs an access token with the scope ${scope}.`;
  return createFault('Token.InsufficientScope', detail, 'Authorization');
}

/** The operation does not take tokens of that grant. */
export function grantWrong(...accepted: readonly string[]): Fault {
  const detail = `This operation needs an access token of the grant ${accepted.join(' or ')}.`;
  return createFault('Token.WrongGrant', detail, 'Authorization');
}

/** The body is JSON but not an object, the only form that operations take. */
export const bodyNoObject = createFault('Resource.InvalidFormat', 'The body must be a JSON object.');

/** The body has more bytes than its operation takes. */
export const bodyTooLong = createFault('Resource.InvalidFormat', 'The body is larger than this service accepts.');

/** @returns whether a code is the bank's own, not the standard's */
export function isBankErrorCode(code: FaultCode): code is BankErrorCode {
  return code in bankErrors;
}

/**
 * @param bankNamespace the bank's own, e.g. `UK.MYBANK`: the standard has no code for 403
 * @returns the `ErrorCode` of a fault in the versions up to 3.1, and in registration
 */
export function obErrorCode(code: FaultCode, bankNamespace: string): string {
  return isBankErrorCode(code) ? bankErrorCode(bankNamespace, code) : `UK.OBIE.${code}`;
}
