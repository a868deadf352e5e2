import {
  JwsError,
  keyIdOf,
  parseCompactJws,
  parseJsonPayload,
  verifyJwtHeader,
  type AsymmetricAlgorithm,
  type ParsedJws,
} from '#libs/jws';
import { SoftwareStatementError, type SoftwareStatementFault, statementFault } from './directory.errors.js';

/** Real statements have 2 to 6 thousand characters. */
const maxLength = 32_768;

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
    return { compact, jws, claims, algorithm: verifyJwtHeader(jws), kid: keyIdOf(jws) };
  } catch (error) {
    if (!(error instanceof JwsError)) throw error;
    const fault =
      error.code === 'malformed'
        ? refused('Malformed', 'The software statement is not a JWS with a JSON payload.')
        : refused('InvalidClaim', `The header of the software statement is not accepted: ${error.message}.`);
    throw new SoftwareStatementError([fault], { cause: error });
  }
}

function refused(kind: 'Malformed' | 'InvalidClaim', message: string): SoftwareStatementFault {
  return statementFault('invalid_software_statement', `Signature.${kind}`, undefined, message);
}
