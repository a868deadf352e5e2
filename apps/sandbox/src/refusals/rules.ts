import { apiRules } from './api-rules.js';
import { oauthRules } from './oauth-rules.js';
import type { Rule } from './rule.js';

const rules: Readonly<Record<string, Rule>> = { ...oauthRules, ...apiRules };

/** @returns the rule of that name, or of the part before its dot */
export function ruleOf(name: string): Rule {
  return rules[name] ?? rules[name.split('.')[0] ?? ''] ?? (rules['other'] as Rule);
}
