import {
  JwsError,
  keyIdOf,
  parseCompactJws,
  parseJsonPayload,
  type AsymmetricAlgorithm,
  type ParsedJws,
} from '#libs/jws';
import { SoftwareStatementError, type SoftwareStatementFault } from './directory.errors.js';

/** Real statements have 2 to 6 thousand characters. */
const maxLength = 32_768;

/** Members that would name or carry a key of the sender's choice, and extensions, none of which is understood. */
const refusedMembers = ['crit', 'jwk', 'jku', 'x5u', 'x5c'] as const;

/** A statement taken apart, not verified. */
export interface ParsedSoftwareStatement {
  compact: string;
  jws: ParsedJws;
  claims: Record<string, unknown>;
  algorithm: AsymmetricAlgorithm;
  kid?: string | undefined;
}

/**
 * Takes a software statement apart and checks its header (Open Banking DCR, software statement; RFC 7519).
 * @throws SoftwareStatementError `invalid_software_statement`
 */
export function parseSoftwareStatement(compact: string): ParsedSoftwareStatement {
  try {
    const jws = parseCompactJws(compact, { maxLength });
    const claims = parseJsonPayload(jws);
    return { compact, jws, claims, algorithm: verifyHeader(jws.header), kid: keyIdOf(jws) };
  } catch (error) {
    if (!(error instanceof JwsError)) throw error;
    const errorCode = error.code === 'malformed' ? 'UK.OBIE.Signature.Malformed' : 'UK.OBIE.Signature.InvalidClaim';
    throw refused(errorCode, 'The software statement is not a JWS with a JSON payload.', error);
  }
}

function verifyHeader(header: Record<string, unknown>): AsymmetricAlgorithm {
  const { alg, typ } = header;
  if (alg !== 'PS256' && alg !== 'ES256') {
    throw refused('UK.OBIE.Signature.InvalidClaim', 'The software statement must be signed with PS256 or ES256.');
  }
  const member = refusedMembers.find((name) => header[name] !== undefined);
  if (member !== undefined) {
    throw refused('UK.OBIE.Signature.InvalidClaim', `The header of the software statement may not hold ${member}.`);
  }
  if (typ !== undefined && !(typeof typ === 'string' && ['jwt', 'jose'].includes(typ.toLowerCase()))) {
    throw refused('UK.OBIE.Signature.InvalidClaim', 'The software statement must have the type JWT.');
  }
  return alg;
}

function refused(
  errorCode: SoftwareStatementFault['errorCode'],
  message: string,
  cause?: Error,
): SoftwareStatementError {
  return new SoftwareStatementError(
    [{ error: 'invalid_software_statement', errorCode, message, path: 'software_statement' }],
    { cause },
  );
}
