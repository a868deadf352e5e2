import { Buffer } from 'node:buffer';
import type { Answer } from './answer.js';
import { formProblems, type FormProblemName } from './form-problems.js';
import type { FormProblem } from './page-models.js';
import type { MessageKey } from '../wording/en.js';

/**
 * What the answer to a form tells the page that it leads to. A form is never answered by a page: a reload would send
 * the form again, and "Back" would lead to the browser's question whether to send it. So the word travels with the
 * browser's session, in a cookie for one showing of one address.
 */
export interface CarriedWord {
  readonly name: FormProblemName | (typeof furtherWords)[number];
  /** what the customer typed, or what the word is about */
  readonly value?: string | undefined;
}

/** The customer is locked; a code was sent; access has ended. */
const furtherWords = ['locked', 'codeSent', 'accessEnded'] as const;

const cookieName = '__Host-word';
const cookieForm = /(?:^|;)\s*__Host-word=([A-Za-z0-9_-]{1,1500})(?:;|$)/;

/** @returns the redirect after a form, to a page that says the word once, if there is one */
export function leadTo(location: string, word: CarriedWord | undefined): Extract<Answer, { kind: 'redirect' }> {
  if (word === undefined) return { kind: 'redirect', status: 303, location };
  const [at] = location.split('#');
  return { kind: 'redirect', status: 303, location, cookies: [createCookie(JSON.stringify({ ...word, at }), 60)] };
}

/** @returns the Set-Cookie header after the word was said */
export const saidCookie = createCookie('', 0);

function createCookie(text: string, maxAgeSeconds: number): string {
  const value = Buffer.from(text).toString('base64url');
  return `${cookieName}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`;
}

/** @returns the word for the page at this address; undefined: none, or for another page */
export function readWord(cookieHeader: string | undefined, address: string): CarriedWord | undefined {
  const text = cookieForm.exec(cookieHeader ?? '')?.[1];
  if (text === undefined) return undefined;
  const { name, value, at } = parse(Buffer.from(text, 'base64url').toString());
  const isKnown =
    typeof name === 'string' && (Object.hasOwn(formProblems, name) || furtherWords.includes(name as never));
  if (!isKnown || at !== address) return undefined;
  return { name: name as CarriedWord['name'], ...(typeof value === 'string' && { value }) };
}

function parse(text: string): { name?: unknown; value?: unknown; at?: unknown } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** @returns the mistake that the page shows, if the word is one */
export function problemOf(word: CarriedWord | undefined): FormProblem | undefined {
  const known: Readonly<Record<string, FormProblem>> = formProblems;
  return word && (Object.hasOwn(known, word.name) ? known[word.name] : undefined);
}

/** @returns what a page says that a form has done */
export function noticeOf(word: CarriedWord | undefined): MessageKey | undefined {
  return word?.name === 'codeSent' ? 'notice.codeSent' : undefined;
}
