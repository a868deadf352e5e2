import { bankErrors } from './bank-errors.js';
import { type ErrorEntry, readWrite } from './error-entry.js';
import type { FaultCode } from './fault.js';
import { faultsByCode40 } from './ob-codes-40.js';
import { obErrors312, type ObErrorCode } from './ob-errors.js';
import { sections } from './standard-sections.js';

/** Terms on the pages of 3.1 that 4.0 names differently. */
const words: readonly [RegExp, string][] = [
  [/\bAwaitingUpload\b/g, 'AWUP'],
  [/\bAwaitingAuthorisation\b/g, 'AWAU'],
  [/\bAuthorised\b/g, 'AUTH'],
  [/\bConsumed\b/g, 'COND'],
  [/\bRejected\b/g, 'RJCT'],
];

/** Codes with another meaning or status in 4.0. */
const differences: Partial<Record<FaultCode, Partial<ErrorEntry>>> = {
  'Field.Unexpected': {
    meaning: 'The body has a member that its schema does not allow.',
    causes: [
      'The standard allows no other members in this object, or the member in Path belongs to version 3.1 (Reference ' +
        'of RemittanceInformation).',
    ],
    remedies: ['Remove the member. Put members of your own in SupplementaryData.'],
  },
  'Resource.InvalidConsentStatus': {
    causes: [
      'A payment was made from a consent that the customer has not approved or has declined. One that was used ' +
        'before is 409 U029, and so is a second file.',
      'The consent waited too long and was rejected.',
    ],
  },
  'Rules.ResourceAlreadyExists': {
    statuses: [409, 422],
    meaning: 'What the request asks for already exists, or its idempotency key was used for another request.',
    causes: [
      'With 422: the same x-idempotency-key arrived again within its lifetime, with a different body.',
      'With 409: a request under this key is still in progress, the consent already has its file, or its file ' +
        'payment was already made.',
    ],
  },
};

/** The codes of version 4.0: the pages of 3.1 in the terms of 4.0. */
export function obErrors40(): (ErrorEntry & { readonly code: string })[] {
  const entries = [...faultsByCode40()].map(([code, faults]) => ({
    code,
    ...(code === 'U042' ? other : entryOf(faults)),
  }));
  return entries.sort((one, another) => (one.code < another.code ? -1 : 1));
}

function entryOf([fault]: readonly FaultCode[]): ErrorEntry {
  const entry: ErrorEntry = obErrors312[`UK.OBIE.${fault}` as ObErrorCode];
  const { causes, remedies, ...rest } = { ...entry, ...(fault && differences[fault]) };
  const section = { title: `Read/Write API 4.0.1, OBExternalStatusReason1Code; up to 3.1: UK.OBIE.${fault}` };
  return {
    ...rest,
    areas: rest.areas.filter((area) => area !== 'registration'),
    causes: causes.map(inWordsOf40),
    remedies: remedies.map(inWordsOf40),
    sections: [section, ...rest.sections],
  };
}

function inWordsOf40(text: string): string {
  return words.reduce((said, [word, now]) => said.replace(word, now), text);
}

const other: ErrorEntry = {
  statuses: [403],
  areas: readWrite,
  meaning: 'The access token does not allow this, for a reason that the standard has no code for.',
  causes: Object.values(bankErrors)
    .filter(({ areas }) => (areas as readonly string[]).includes('payments'))
    .map(({ meaning }) => meaning),
  remedies: ["Read Message: it begins with the bank's own code, which has its own page."],
  sections: [{ title: 'Read/Write API 4.0.1, OBExternalStatusReason1Code' }, sections.rfc6750],
};
