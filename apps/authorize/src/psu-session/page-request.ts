import { readFormRequest } from '#libs/back-channel';
import { PAYMENT_ACCOUNTS_MAX_COUNT } from '#libs/bank';
import { isUuid } from '#libs/obie-rules';
import { InvalidRequestError, parseFormParameters } from '#libs/oauth';
import type { FastifyRequest } from 'fastify';
import { readWord, type CarriedWord } from '../pages/carried-word.js';

const maxQueryLength = 1_024;
const formBounds: FormBounds = { maxLength: 8_192 };
/**
 * Limits of the form with a check box for each account: `accounts=`, a value of 22 characters and `&`; and the rest.
 */
export const accountsFormBounds = {
  maxLength: PAYMENT_ACCOUNTS_MAX_COUNT * 32 + 1_024,
  maxCount: PAYMENT_ACCOUNTS_MAX_COUNT + 16,
};
const waitParameter = 'wait';
const endedParameter = 'ended';
/** where the sign-in is to lead: parameter and form field */
export const toParameter = 'to';
const accountsField = 'accounts';

/** Limits of a form or query. */
interface FormBounds {
  readonly maxLength: number;
  readonly maxCount?: number;
}

/** The parts of a request that the PSU's pages use. */
export interface PageRequest {
  /** the session: from the address of a page, or from the form */
  readonly sessionId?: string;
  readonly cookieHeader?: string;
  /** empty for GET; fields sent empty are absent */
  readonly form: ReadonlyMap<string, string>;
  /** values of the check boxes for accounts, the one field that may occur more than once */
  readonly accounts?: readonly string[];
  readonly interactionId: string;
  /** reserves memory for a list of payments of this length; throws if there is no room */
  readonly hold: (length: number) => void;
  /** what the page says once, after a form */
  readonly word?: CarriedWord | undefined;
}

/** @returns the query as sent, without the question mark */
export function rawQueryOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?');
  return start === -1 ? '' : request.url.slice(start + 1);
}

/** Reads the address of a page. Throws InvalidRequestError, which is shown as a page. */
export function parsePageRequest(request: FastifyRequest): PageRequest {
  const query = parseUnique(rawQueryOf(request), { maxLength: maxQueryLength });
  return toPageRequest(request, query.get('authorization'), new Map());
}

/** How a page was requested. */
export interface PageLoad {
  /** HEAD: must have no effect (RFC 9110 s9.2.1) */
  readonly isSafe: boolean;
  /** the waiting page reloaded itself, without any activity */
  readonly isWaiting: boolean;
  /** redirected here because the session has ended */
  readonly isEnded: boolean;
  /** where the sign-in is to lead, as the address says */
  readonly to: string | undefined;
}

/** Reads how a page that may wait was requested. */
export function parsePageLoad(request: FastifyRequest): PageLoad {
  const [isWaiting, isEnded] = [waitParameter, endedParameter].map((name) => queryValue(request, name) !== undefined);
  return {
    isSafe: request.method === 'HEAD',
    isWaiting: isWaiting === true,
    isEnded: isEnded === true,
    to: queryValue(request, toParameter),
  };
}

/** @returns the address of a page that says that a session is over */
export function endedAddress(address: string): string {
  return withParameter(address, endedParameter);
}

/** @returns the address by which a page reloads itself */
export function waitingAddress(ownAddress: string): string {
  return withParameter(ownAddress, waitParameter);
}

function withParameter(address: string, name: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${name}=1`;
}

/** @returns one value of the address of a page */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  return parseFormParameters(rawQueryOf(request), { maxLength: maxQueryLength }).values.get(name);
}

/** @returns the form as sent. Throws InvalidRequestError, shown as a page, for a body that is not a form in UTF-8. */
export function rawFormOf(request: FastifyRequest): string {
  return readFormRequest(request).body;
}

/** Reads a form that a page sent. Throws InvalidRequestError, which is shown as a page. */
export function parsePageForm(request: FastifyRequest, bounds = formBounds): PageRequest {
  const text = rawFormOf(request);
  const form = parseUnique(text, bounds, [accountsField]);
  const accounts = new URLSearchParams(text).getAll(accountsField);
  return { ...toPageRequest(request, form.get('authorization'), form), accounts };
}

// Two programs may read a repeated field differently (CVE-2026-9689).
function parseUnique(text: string, bounds: FormBounds, lists: readonly string[] = []): ReadonlyMap<string, string> {
  const { values, repeated } = parseFormParameters(text, bounds);
  if ([...repeated].some((name) => !lists.includes(name)))
    throw new InvalidRequestError('a field occurs more than once');
  return values;
}

function toPageRequest(
  request: FastifyRequest,
  sessionId: string | undefined,
  form: ReadonlyMap<string, string>,
): PageRequest {
  const { cookie } = request.headers;
  return {
    form,
    interactionId: request.interactionId,
    hold: request.hold,
    word: request.method === 'POST' ? undefined : readWord(cookie, request.url),
    ...(sessionId !== undefined && isUuid(sessionId) && { sessionId }),
    ...(cookie !== undefined && { cookieHeader: cookie }),
  };
}
