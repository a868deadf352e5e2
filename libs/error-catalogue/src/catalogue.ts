import { bankErrorCode, bankErrors, type BankErrorCode } from './bank-errors.js';
import type { ErrorEntry, WrittenEntry } from './error-entry.js';
import { obErrors40 } from './errors-40.js';
import { oauthErrors } from './oauth-errors.js';
import { obErrors312 } from './ob-errors.js';
import { pageErrors } from './page-errors.js';
import { sections } from './standard-sections.js';

/** `error` of OAuth 2.0, OpenID Connect and client registration. */
export type OAuthErrorCode = keyof typeof oauthErrors;
/** Error code that a customer's page shows: its own, or the OAuth code that the TPP receives. */
export type PageErrorCode = keyof typeof pageErrors | OAuthErrorCode;

/** One code as on the wire, with its documentation. */
export interface CataloguedError extends ErrorEntry {
  readonly code: string;
  /** the member of the answer, or the element of the customer's page, that holds it */
  readonly member: 'ErrorCode' | 'error' | 'error-code';
}

/** Path of the catalogue's pages on the api app. */
export const errorPagesPath = 'docs/errors';

/**
 * @param baseUrl address of the api app
 * @param code as in an answer
 * @returns the address of its page: `Url` of OBError1 and `error_uri` (RFC 6749 s5.2)
 */
export function errorPageUrl(baseUrl: string, code: string): string {
  return `${baseUrl}/${errorPagesPath}/${code}`;
}

/**
 * @param bankNamespace of the bank's own codes
 * @returns every code that the service can answer with: OBIE's of 3.1 and 4.0, the bank's own, those of OAuth, then
 * those of the customer's pages
 */
export function errorCatalogue(bankNamespace: string): CataloguedError[] {
  return [
    ...list('ErrorCode', obErrors312),
    ...obErrors40().map((entry) => ({ member: 'ErrorCode' as const, ...entry })),
    ...list('ErrorCode', bankErrors, (code) => bankErrorCode(bankNamespace, code as BankErrorCode)),
    ...list('error', oauthErrors),
    ...list('error-code', pageErrors),
  ];
}

function list(
  member: CataloguedError['member'],
  entries: Readonly<Record<string, WrittenEntry<keyof typeof forAll>>>,
  codeOf: (code: string) => string = (code) => code,
): CataloguedError[] {
  return Object.entries(entries).map(([code, entry]) => ({ code: codeOf(code), member, ...forAll, ...entry }));
}

/** The defaults of entries. */
const forAll = {
  statuses: [400],
  areas: ['authorisation'],
  sections: [sections.customerExperience],
} as const;
