import { bankErrors } from './bank-errors.js';
import type { ErrorEntry } from './error-entry.js';
import type { FaultCode } from './fault.js';
import { faultsByCode40 } from './ob-codes-40.js';
import { obErrors312 } from './ob-errors.js';
import { sections } from './standard-sections.js';

const filePayments = ['file payments'] as const;

/** What stands on the pages of 3.1, and is called otherwise in 4.0. */
const words: readonly [RegExp, string][] = [
  [/\bAwaitingUpload\b/g, 'AWUP'],
  [/\bAwaitingAuthorisation\b/g, 'AWAU'],
  [/\bAuthorised\b/g, 'AUTH'],
  [/\bConsumed\b/g, 'COND'],
  [/\bRejected\b/g, 'RJCT'],
];

/** Where a code says something else in 4.0, or comes with another status. */
const differences: Partial<Record<FaultCode, Partial<ErrorEntry>>> = {
  'Field.Unexpected': {
    meaning: 'The body has a member that its schema does not know.',
    causes: [
      'Objects of 4.0 are closed: the member that Path names is none of the standard, or one of version 3.1 (Reference of RemittanceInformation).',
    ],
    remedies: ['Leave the member out. Members of your own belong in SupplementaryData.'],
  },
  'Rules.ResourceAlreadyExists': {
    statuses: [409, 422],
    meaning: 'What the request asks for is there already, or its idempotency key was used for another request.',
    causes: [
      'With 422: within its lifetime x-idempotency-key came a second time, with another body.',
      'With 409: a request under this key is still under way, the consent has its file, or its file payment was made.',
    ],
  },
};

/** The codes of version 4.0: what stands on the pages of 3.1, in the words of 4.0. */
export function obErrors40(): (ErrorEntry & { readonly code: string })[] {
  const entries = [...faultsByCode40()].map(([code, faults]) => ({
    code,
    ...(code === 'U042' ? other : entryOf(faults)),
  }));
  return entries.sort((one, another) => (one.code < another.code ? -1 : 1));
}

function entryOf([fault]: readonly FaultCode[]): ErrorEntry {
  const entry: ErrorEntry = obErrors312[`UK.OBIE.${fault}` as keyof typeof obErrors312];
  const { causes, remedies, ...rest } = { ...entry, ...(fault && differences[fault]) };
  const section = { title: `Read/Write API 4.0.1, OBExternalStatusReason1Code; up to 3.1: UK.OBIE.${fault}` };
  return {
    ...rest,
    areas: filePayments,
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
  areas: filePayments,
  meaning: 'The access token does not allow this, for a reason that the standard has no code for.',
  causes: Object.values(bankErrors)
    .filter(({ areas }) => (areas as readonly string[]).includes('file payments'))
    .map(({ meaning }) => meaning),
  remedies: ["Read Message: it begins with the bank's own code, which has a page of its own."],
  sections: [{ title: 'Read/Write API 4.0.1, OBExternalStatusReason1Code' }, sections.rfc6750],
};
