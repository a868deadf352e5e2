import { accepted, missing, refused, type Checked } from '../checked.js';
import { scopes } from '../supported-metadata.js';
import { describePrintableFault, isOneOf, isPrintableText } from './claim-values.js';
import type { RegistrationContext } from './registration-context.js';

/**
 * `scope`: words that the roles in the software statement allow; by default all of them, unless the bank requires the
 * claim. A scope beyond the roles is refused, not dropped, so that no TPP believes that it has it. A word that is no
 * scope of this service is also refused, or dropped if the bank prefers that (RFC 7591 s2: the server may register
 * other values, and the answer says which).
 * @returns the text as sent, because TPPs compare it, without dropped words
 */
export function verifyScope({ claims, software, defaultScope, unknownScope }: RegistrationContext): Checked<string> {
  const claim = claims.get('scope');
  if (claim === undefined) {
    return defaultScope === 'refuse' ? missing('scope') : accepted(software.permittedScopes.join(' '));
  }
  // Some TPPs send an array of words.
  const isList = Array.isArray(claim) && claim.every((word) => typeof word === 'string');
  const scope: unknown = isList ? claim.join(' ') : claim;
  if (!isPrintableText(scope, 256)) return refused('scope', describePrintableFault(scope, 256));
  const words = scope.split(' ').filter((word) => word !== '');
  const known = words.filter((word) => isOneOf(scopes, word));
  if (known.length === 0 || (known.length < words.length && unknownScope !== 'drop')) {
    return refused('scope', `may hold only ${scopes.join(', ')}`);
  }
  const beyond = known.find((word) => !software.permittedScopes.includes(word));
  if (beyond !== undefined) {
    return refused('scope', `holds ${beyond}, which the roles of the software statement do not allow`);
  }
  return accepted(known.length === words.length ? scope : known.join(' '));
}
