import { apiRules } from './api-rules.js';
import { oauthRules } from './oauth-rules.js';
import type { Rule } from './rule.js';

/** One reason for a refusal, for the developer who wrote the request. */
export interface Finding {
  /** stable name of the rule, e.g. `client-assertion.aud` */
  rule: string;
  title: string;
  /** the section of the standard */
  section: string;
  expected: string;
  got: string;
  fix: string;
}

const longestText = 600;

const rules: Readonly<Record<string, Rule>> = { ...oauthRules, ...apiRules };

/**
 * @param rule a name of a rule, or such a name and a part after a dot
 * @param values the expected and the actual value; never a secret, a token or a payment
 */
export function finding(rule: string, values: { expected: unknown; got: unknown }): Finding {
  const { title, section, fix } = ruleOf(rule);
  return { rule, title, section, expected: toText(values.expected), got: toText(values.got), fix };
}

function toText(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function ruleOf(name: string): Rule {
  return rules[name] ?? rules[name.split('.')[0] ?? ''] ?? (rules['other'] as Rule);
}
