import type { AsymmetricAlgorithm } from './algorithms.js';
import { JwsError } from './errors.js';
import type { ParsedJws } from './parse-compact-jws.js';

/** Members that would name or carry a key of the sender's choice, and extensions: none is supported. */
const refusedMembers = ['crit', 'b64', 'jwk', 'jku', 'x5u', 'x5c'] as const;

/**
 * Verifies the header of a JWT whose algorithm its sender chooses: a registration request or a software statement
 * (Open Banking DCR; RFC 8725 s3.1, s3.10, s3.11).
 * @returns the algorithm
 * @throws JwsError `algorithm`, `header`
 */
export function verifyJwtHeader({ header }: Pick<ParsedJws, 'header'>): AsymmetricAlgorithm {
  const { alg, typ } = header;
  if (alg !== 'PS256' && alg !== 'ES256') throw new JwsError('algorithm', 'alg is neither PS256 nor ES256', 'alg');
  const member = refusedMembers.find((name) => header[name] !== undefined);
  if (member !== undefined) throw new JwsError('header', `${member} is not supported`, member);
  if (typ !== undefined && !(typeof typ === 'string' && ['jwt', 'jose'].includes(typ.toLowerCase()))) {
    throw new JwsError('header', 'typ is neither JWT nor JOSE', 'typ');
  }
  return alg;
}
