import { RegistrationError } from '#libs/client-registration';
import { SoftwareStatementError } from '#libs/directory';
import { finding, type Finding } from '#libs/error-catalogue';
import { explainMember, explainSignature, type ExpectedJwt } from './explain-jwt.js';
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
    },
  };
  return Promise.all(
    error.faults.slice(0, 20).map(async ({ path, code, detail }) => {
      const [, statementClaim] = /^software_statement\.(\w+)$/.exec(path ?? '') ?? [];
      if (statementClaim !== undefined) {
        const value = statement[statementClaim];
        const got = statementClaim === 'exp' || statementClaim === 'iat' ? timeBeside(value, refused.now) : value;
        return finding(`software-statement.${statementClaim}`, detail, got);
      }
      if (path === 'software_statement') {
        return finding('software-statement.signature', detail, `iss ${String(statement['iss'])}`);
      }
      if (code.startsWith('Signature')) return explainSignature(refused, expected);
      const member = path?.split(/[.[]/)[0];
      if (member === undefined) return finding('registration', detail, `${jwt.length} characters`);
      return { ...explainMember(refused, expected, member), ...expectedOf(expected, member, detail) };
    }),
  );
}

/** If the value itself is not known, the rule says what is expected. */
function expectedOf({ claims }: ExpectedJwt, member: string, message: string): { expected?: string } {
  return claims[member] === undefined ? { expected: message } : {};
}
