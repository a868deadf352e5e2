import { randomUUID } from 'node:crypto';
import type { Config } from '#libs/config';
import {
  createFault,
  errorPageUrl,
  type Fault,
  type FaultCode,
  obErrorCode,
  statusPhrases,
} from '#libs/error-catalogue';
import { ObError, type ObErrorBody, type ObErrorItem, type ObErrorStatus } from './ob-error.js';

const mostItems = 100;
const longestText = 500;

/** The address of the error catalogue's pages, and the namespace of the bank's own codes. */
export type ErrorNames = Pick<Config, 'baseUrl'> & { readonly bank: Pick<Config['bank'], 'errorNamespace'> };

/** How a version writes a refusal: the body of the answer, with an `Id` to find it in the log. */
export type ErrorBodyWriter = (error: ObError, names: ErrorNames) => { readonly Id: string };

/**
 * @param error the refusal
 * @returns OBErrorResponse1 of registration and of the versions up to 3.1, with a fresh `Id`
 */
export function createObErrorBody(error: ObError, names: ErrorNames): ObErrorBody {
  return {
    Code: obStatusCode(error.status),
    Id: randomUUID(),
    Message: cutText(error.message),
    Errors: createObErrorItems(error, names, (code) => obErrorCode(code, names.bank.errorNamespace)),
  };
}

/** @returns `Code` of a status, as the standard shows it for 400: `400 BadRequest` */
export function obStatusCode(status: ObErrorStatus): string {
  return `${status} ${statusPhrases[status]?.replaceAll(' ', '')}`;
}

/**
 * @param codeOf how the version writes the code of a fault
 * @param messageOf the message of a fault; its detail by default
 * @returns Errors of an OBErrorResponse1: at most 100 faults, each with the address of its page
 */
export function createObErrorItems(
  error: ObError,
  { baseUrl }: ErrorNames,
  codeOf: (code: FaultCode) => string,
  messageOf: (fault: Fault) => string = ({ detail }) => detail,
): ObErrorItem[] {
  return error.faults.slice(0, mostItems).map((fault) => {
    const ErrorCode = codeOf(fault.code);
    return {
      ErrorCode,
      Message: cutText(messageOf(fault)),
      ...(fault.path === undefined ? {} : { Path: cutText(fault.path) }),
      Url: errorPageUrl(baseUrl, ErrorCode),
    };
  });
}

/**
 * @returns at most 500 characters of the text, without unpaired surrogates, which not every JSON parser accepts: a path
 * can contain names that the TPP chose, and cutting can split a pair.
 */
export function cutText(text: string): string {
  return text.slice(0, longestText).replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** The answer to a request that could not be read. */
export function unreadable(fault: Fault): ObError {
  return new ObError(400, 'The request could not be read.', [fault]);
}

/** The answer to an unexpected error: nothing but an `Id` to ask about. */
export function unexpectedError(cause?: unknown): ObError {
  return new ObError(
    500,
    'The request could not be processed. Try again later; if it happens again, tell the bank this Id.',
    [createFault('UnexpectedError', 'The request could not be processed.')],
    { cause },
  );
}
