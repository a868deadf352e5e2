import { accepted, missing, refused, type Checked } from '../checked.js';
import { scopes } from '../supported-metadata.js';
import { isOneOf, isPrintableText } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * `scope`: words that the roles in the software statement allow; without the claim all of them, unless the bank wants one. A scope beyond the
 * roles is refused and not dropped, so that a TPP never believes to have what it has not.
 * @returns the text as it was sent: TPPs compare it
 */
export function verifyScope({ claims, software, defaultScope }: RegistrationContext): Checked<string> {
  const claim = claims.get('scope');
  if (claim === undefined) {
    return defaultScope === 'refuse' ? missing('scope') : accepted(software.permittedScopes.join(' '));
  }
  // Some TPPs send an array.
  const scope: unknown = Array.isArray(claim) ? claim.slice(0, 100).join(' ') : claim;
  if (!isPrintableText(scope, 256)) return refused('scope', 'must be a text of 1 to 256 characters');
  const words = scope.split(' ').filter((word) => word !== '');
  if (words.length === 0 || !words.every((word) => isOneOf(scopes, word))) {
    return refused('scope', `may hold only ${scopes.join(', ')}`);
  }
  const beyond = words.find((word) => !software.permittedScopes.includes(word));
  return beyond === undefined
    ? accepted(scope)
    : refused('scope', `holds ${beyond}, which the roles of the software statement do not allow`);
}
