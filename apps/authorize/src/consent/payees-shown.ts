import type { PayeesShown } from '#libs/customer-session';
import { createPageValue, isSameSecret } from '../psu-session/page-value.js';
import type { PayeeAnswers } from './payee-answers.service.js';

/** @returns counts of the payee findings on a page, without names */
export function countAnswers({ names, known }: PayeeAnswers, payees: number): PayeesShown {
  const counts: Record<string, number> = names === 'Unavailable' ? { Unavailable: payees } : {};
  if (Array.isArray(names)) for (const { match } of names) counts[match] = (counts[match] ?? 0) + 1;
  const before = Array.isArray(known) ? known.filter(Boolean).length : undefined;
  return {
    ...(names !== undefined && { names: counts }),
    ...(before !== undefined && { known: before, new: payees - before }),
  };
}

/** @returns its form value, so that the audit trail records what the approved page showed */
export function createPayeesValue(shown: PayeesShown, sessionValue: string): string {
  const text = JSON.stringify(shown);
  return `${Buffer.from(text).toString('base64url')}.${createPageValue(sessionValue, 'payees', text)}`;
}

/** @returns undefined for a value that no page of this session has made */
export function readPayeesValue(value: string | undefined, sessionValue: string): PayeesShown | undefined {
  const [body = '', proof = ''] = value?.split('.') ?? [];
  const text = Buffer.from(body, 'base64url').toString();
  const isOurs = isSameSecret(proof, createPageValue(sessionValue, 'payees', text));
  return isOurs ? (JSON.parse(text) as PayeesShown) : undefined;
}
