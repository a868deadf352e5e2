import { bankErrors } from './bank-errors.js';
import { type ErrorEntry, readWrite } from './error-entry.js';
import { isBankErrorCode, type FaultCode } from './fault.js';
import { obErrors312, type ObEntry } from './ob-errors.js';
import { sections } from './standard-sections.js';

const ofBank = 'U042';
const codesOf40 = 'Read/Write API 4.0.1, OBExternalStatusReason1Code';

/** Terms on the pages of 3.1 that 4.0 names differently. */
const words: readonly [RegExp, string][] = [
  [/\bAwaitingUpload\b/g, 'AWUP'],
  [/\bAwaitingAuthorisation\b/g, 'AWAU'],
  [/\bAuthorised\b/g, 'AUTH'],
  [/\bConsumed\b/g, 'COND'],
  [/\bRejected\b/g, 'RJCT'],
];

/**
 * @returns the `ErrorCode` of a fault in version 4.0 (OBExternalStatusReason1Code). It has no code for the bank's own
 * faults: these are U042 (other), and the message begins with the bank's code.
 */
export function obErrorCode40(code: FaultCode): `U${number}` {
  return isBankErrorCode(code) ? ofBank : obErrors312[`UK.OBIE.${code}`].code40;
}

/** The codes of version 4.0: the pages of 3.1 in the terms of 4.0. */
export function obErrors40(): (ErrorEntry & { readonly code: string })[] {
  const entries = Object.entries<ObEntry>(obErrors312).map(([code, entry]) => inTermsOf40(code, entry));
  return [...entries, other].sort((one, another) => (one.code < another.code ? -1 : 1));
}

function inTermsOf40(code: string, entry: ObEntry): ErrorEntry & { readonly code: string } {
  const { causes, remedies, ...rest } = { statuses: [400], ...entry, ...entry.differently40 };
  return {
    ...rest,
    code: entry.code40,
    areas: rest.areas.filter((area) => area !== 'registration'),
    causes: causes.map(inWordsOf40),
    remedies: remedies.map(inWordsOf40),
    sections: [{ title: `${codesOf40}; up to 3.1: ${code}` }, ...rest.sections],
  };
}

function inWordsOf40(text: string): string {
  return words.reduce((said, [word, now]) => said.replace(word, now), text);
}

const other = {
  code: ofBank,
  statuses: [403],
  areas: readWrite,
  meaning: 'The access token does not allow this, for a reason that the standard has no code for.',
  causes: Object.values(bankErrors)
    .filter(({ areas }) => (areas as readonly string[]).includes('payments'))
    .map(({ meaning }) => meaning),
  remedies: ["Read Message: it begins with the bank's own code, which has its own page."],
  sections: [{ title: codesOf40 }, sections.rfc6750],
} as const;
