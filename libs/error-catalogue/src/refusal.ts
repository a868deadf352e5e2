import { apiRefusals } from './api-refusals.js';
import { oauthRefusals } from './oauth-refusals.js';

/** What a rule is about, where the standard has it, and what to do. */
export interface RefusalRule {
  readonly title: string;
  readonly section: string;
  readonly fix: string;
}

/** One reason for a refusal, for the developer who wrote the request. */
export interface Finding extends RefusalRule {
  /** stable name of the rule, e.g. `client-assertion.aud` */
  readonly rule: string;
  readonly expected: string;
  readonly got: string;
}

/** A refused request, explained: what the sandbox answers to `obp why`, and the portal shows. */
export interface ExplainedRefusal {
  readonly interaction_id: string;
  readonly at: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** the reason as the service logs it */
  readonly reason: string;
  readonly findings: readonly Finding[];
}

const longestText = 600;

const rules: Readonly<Record<string, RefusalRule>> = { ...oauthRefusals, ...apiRefusals };
const other: RefusalRule = { title: 'The request was refused.', section: 'see the message', fix: 'See the message.' };

/**
 * Why a request was refused. The rules are finer than the standard's codes, and tell which half of a credential was
 * wrong, so only the sandbox may show them.
 * @param rule the name of a rule, or such a name, a dot and a part
 * @param expected the value that the rule expects; neither value is ever a secret, a token or a payment
 */
export function finding(rule: string, expected: unknown, got: unknown): Finding {
  const { title, section, fix } = rules[rule] ?? rules[rule.split('.')[0] ?? ''] ?? other;
  return { rule, title, section, expected: toText(expected), got: toText(got), fix };
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}
