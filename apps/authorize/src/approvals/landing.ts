import { toParameter } from '../psu-session/page-request.js';
import type { MessageKey } from '../wording/en.js';

/** The pages that may follow the sign-in: our own, and only those that show something. */
const landings = [
  /^\/approvals\/(?:access|decided|sessions)$/,
  /^\/approvals\/access\/funds\?consent=[\w-]{36}$/,
  /^\/approvals\/access\/end\?grant=[\w-]{36,43}$/,
  /^\/approvals\/payment\?file_payment=[\w-]{36}$/,
];

/** @returns the page as asked for; undefined if it is not one of ours, so that nobody is led away (RFC 9700 s4.11.2) */
export function readLanding(text: string | undefined): string | undefined {
  return landings.some((landing) => landing.test(text ?? '')) ? text : undefined;
}

/** @returns the address of the sign-in, after which the customer lands on that page */
export function signInAddress(landing: string | undefined): string {
  return landing === undefined ? '/approvals' : `/approvals?${toParameter}=${encodeURIComponent(landing)}`;
}

/** @returns what the sign-in page says, for the page to which it leads */
export function signInWords(landing: string | undefined): { readonly title: MessageKey; readonly lead: MessageKey } {
  if (landing?.startsWith('/approvals/access') === true)
    return { title: 'approvalSignIn.accessTitle', lead: 'approvalSignIn.accessLead' };
  if (landing === '/approvals/decided') return { title: 'signIn.title', lead: 'decided.lead' };
  if (landing === '/approvals/sessions') return { title: 'signIn.title', lead: 'approvalSignIn.sessionsLead' };
  return { title: 'approvalSignIn.title', lead: 'approvalSignIn.lead' };
}
