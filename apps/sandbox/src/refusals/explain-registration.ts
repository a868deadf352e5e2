import { RegistrationError } from '#libs/client-registration';
import { SoftwareStatementError } from '#libs/directory';
import { finding, type Finding } from '#libs/error-catalogue';
import { explainMember, explainSignature, type ExpectedJwt, times } from './explain-jwt.js';
import { bodyOf, decodeJwt, timeBeside, type RefusedCase } from './refused-case.js';

/** Why a registration request was refused: one finding for each of its faults. */
export async function explainRegistrationRefusal(
  refused: RefusedCase,
  error: RegistrationError | SoftwareStatementError,
): Promise<Finding[]> {
  const jwt = bodyOf(refused.request).toString();
  const { header, claims } = decodeJwt(jwt);
  const statement = decodeJwt(String(claims['software_statement'] ?? claims['softwareStatement'] ?? '')).claims;
  const software = { orgId: String(statement['org_id']), softwareId: String(statement['software_id']) };
  const expected: ExpectedJwt = {
    kind: 'registration',
    jwt,
    algorithm: header['alg'] === 'ES256' ? 'ES256' : 'PS256',
    software,
    claims: {
      iss: software.softwareId,
      software_id: software.softwareId,
      aud: refused.config.issuer,
      redirect_uris: statement['software_redirect_uris'],
      jti: 'a new value for every request',
    },
  };
  return Promise.all(
    error.faults.slice(0, 20).map(async ({ path, code, detail }) => {
      const [, statementClaim] = /^software_statement\.(\w+)$/.exec(path ?? '') ?? [];
      if (statementClaim !== undefined) {
        const value = statement[statementClaim];
        const got = times.has(statementClaim) ? timeBeside(value, refused.now) : value;
        const rule = `software-statement.${statementClaim}`;
        const expected = expectedOfStatement(statementClaim, refused);
        if (expected !== undefined) return finding(rule, expected, got);
        return finding(rule, `a ${statementClaim} that this bank accepts`, `${JSON.stringify(value)}: ${detail}`);
      }
      if (path === 'software_statement') {
        const expected = 'a statement signed by the directory, of the software whose certificate is on the connection';
        return finding('software-statement.signature', expected, `iss ${String(statement['iss'])}: ${detail}`);
      }
      // Nobody repeats a secret.
      if (path === 'client_secret') return finding('registration', detail, 'another one');
      if (code.startsWith('Signature')) return explainSignature(refused, expected);
      const member = path?.split(/[.[]/)[0];
      if (member === undefined) return finding('registration', detail, `${jwt.length} characters`);
      return { ...explainMember(refused, expected, member), ...expectedOf(expected, member, detail) };
    }),
  );
}

/** What a claim of the software statement must say; the message may say only what is wrong. */
function expectedOfStatement(claim: string, { now, config }: RefusedCase): string | undefined {
  const expectations: Readonly<Record<string, string>> = {
    exp: `after ${now.toISOString()}`,
    iat: `not later than ${now.toISOString()}, and not older than the bank allows`,
    nbf: `not later than ${now.toISOString()}`,
    org_status: 'Active',
    software_environment: config.directory.trusted.flatMap(({ environments }) => environments).join(' or '),
    software_mode: 'Live',
    organisation_competent_authority_claims: 'status Active',
  };
  return expectations[claim];
}

/** What a member must be: the known value, or what the message demands. */
function expectedOf({ claims }: ExpectedJwt, member: string, message: string): { expected?: string } {
  const known = claims[member];
  if (known === undefined) return { expected: message };
  // A redirect URI of the statement may still be refused for its form.
  return member === 'redirect_uris' ? { expected: `${message} The statement has ${JSON.stringify(known)}.` } : {};
}
