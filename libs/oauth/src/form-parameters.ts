import { InvalidRequestError } from './errors/protocol-errors.js';
import { PARAMETERS_MAX_COUNT } from './limits.js';

/** The parameters of a form body or query. What was sent empty or more than once is not among the values. */
export interface FormParameters {
  values: ReadonlyMap<string, string>;
  /** Names that occurred more than once (RFC 6749 s3.1, s3.2: they must not). */
  repeated: ReadonlySet<string>;
}

/**
 * Reads `application/x-www-form-urlencoded` text (RFC 6749 appendix B) in linear time. A parameter sent empty counts as absent (s3.1).
 * Throws InvalidRequestError for text over `maxLength` characters, more than 64 parameters, or encoding that is not UTF-8.
 */
export function parseFormParameters(text: string, { maxLength }: { maxLength: number }): FormParameters {
  if (typeof text !== 'string') throw new InvalidRequestError('parameters are missing');
  if (text.length > maxLength) throw new InvalidRequestError('request is too long');
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > PARAMETERS_MAX_COUNT) throw new InvalidRequestError('request has too many parameters');

  const all = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of pairs) {
    const [name, value] = parsePair(pair);
    if (all.has(name)) repeated.add(name);
    all.set(name, value);
  }
  const values = new Map([...all].filter(([name, value]) => value !== '' && !repeated.has(name)));
  return { values, repeated };
}

/** Decodes one form-encoded name or value: `+` is a space, `%xx` are UTF-8 octets. Undefined if it is not such an encoding. */
export function decodeFormComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // URIError: a stray % or broken UTF-8.
    return undefined;
  }
}

/** The error for repeated parameters. The name is quoted only if it is a plain one, since it comes from outside. */
export function repeatedParameterError(repeated: ReadonlySet<string>): InvalidRequestError {
  const name = [...repeated].find((candidate) => /^[a-z_]{1,40}$/.test(candidate)) ?? 'a parameter';
  return new InvalidRequestError(`${name} occurs more than once`);
}

function parsePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=');
  const name = decodeFormComponent(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? '' : decodeFormComponent(pair.slice(equals + 1));
  if (name === undefined || value === undefined) throw new InvalidRequestError('request is not form encoded');
  return [name, value];
}
