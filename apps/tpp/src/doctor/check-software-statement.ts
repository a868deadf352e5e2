import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type { HttpsClient } from '../https-client.js';
import { parseJsonObject } from '../json.js';
import type { Profile } from '../profile/profile.js';
import type { TppCredentials } from '../tpp-credentials.js';
import { ok, problem, skipped, type CheckResult } from './check.js';

const section = 'RFC 7591 s2.3; OBIE Dynamic Client Registration 3.2';

/** Checks that the directory signed the software statement, that it is valid, and that it is for this software. */
export async function checkSoftwareStatement(options: {
  profile: Profile;
  credentials: TppCredentials;
  client: HttpsClient;
  now: Date;
}): Promise<CheckResult[]> {
  const { profile, credentials, client, now } = options;
  const { softwareStatement } = credentials;
  let claims: Record<string, unknown>;
  try {
    claims = decodeJwt(softwareStatement);
  } catch {
    return [
      problem('software-statement.file', 'The software statement can be read.', {
        section,
        expected: 'a JWT',
        got: `a string of ${softwareStatement.length} characters`,
        fix: 'Name the file with the statement as the directory gave it.',
      }),
    ];
  }
  return [
    checkExpiry(claims, now),
    await checkSignature(softwareStatement, profile, client),
    checkSoftware(claims, credentials),
    checkRedirectUris(claims, credentials),
    checkKeyAddress(claims, profile),
  ];
}

function checkExpiry({ exp, iat }: Record<string, unknown>, now: Date): CheckResult {
  const title = 'The software statement is still valid.';
  const got = [`iat ${toDate(iat)}`, ...(exp === undefined ? [] : [`exp ${toDate(exp)}`])].join(', ');
  if (exp === undefined || Number(exp) * 1_000 > now.getTime()) return ok('software-statement.exp', title, got);
  return problem('software-statement.exp', title, {
    section: 'RFC 7519 s4.1.4',
    expected: `exp after ${now.toISOString()}`,
    got,
    fix: 'Get a new software statement from the directory.',
  });
}

async function checkSignature(statement: string, profile: Profile, client: HttpsClient): Promise<CheckResult> {
  const title = 'The software statement is signed by the directory.';
  if (profile.directoryJwksUri === undefined) {
    return skipped('software-statement.signature', title, 'the profile names no directory_jwks_uri');
  }
  try {
    const response = await client.send({ method: 'GET', url: profile.directoryJwksUri });
    const keys = createLocalJWKSet(parseJsonObject<JSONWebKeySet>(response));
    await jwtVerify(statement, keys, { algorithms: ['PS256', 'ES256'], currentDate: new Date(0) });
    return ok('software-statement.signature', title, `kid ${decodeProtectedHeader(statement).kid}`);
  } catch (error) {
    return problem('software-statement.signature', title, {
      section,
      expected: `a signature that ${profile.directoryJwksUri} verifies`,
      got: messageOf(error),
      fix: 'Send the statement of this environment’s directory, unchanged.',
    });
  }
}

function checkSoftware(claims: Record<string, unknown>, { softwareId, orgId }: TppCredentials): CheckResult {
  const title = 'The software statement belongs to this software.';
  const got = `${String(claims['org_id'])}/${String(claims['software_id'])}`;
  if (got === `${orgId}/${softwareId}`) return ok('software-statement.software', title, got);
  return problem('software-statement.software', title, {
    section,
    expected: `${orgId}/${softwareId}`,
    got,
    fix: 'Name the organisation and software ids of the statement in the profile.',
  });
}

function checkRedirectUris(claims: Record<string, unknown>, { redirectUris }: TppCredentials): CheckResult {
  const title = 'The redirect addresses are among those of the software statement.';
  const stated = Array.isArray(claims['software_redirect_uris']) ? claims['software_redirect_uris'].map(String) : [];
  const missing = redirectUris.filter((uri) => !stated.includes(uri));
  if (missing.length === 0) return ok('software-statement.redirect_uris', title, redirectUris.join(', '));
  return problem('software-statement.redirect_uris', title, {
    section,
    expected: `some of ${stated.join(', ')}`,
    got: missing.join(', '),
    fix: 'Add the address in the directory and get a new software statement, or omit it.',
  });
}

function checkKeyAddress(claims: Record<string, unknown>, { tpp }: Profile): CheckResult {
  const title = 'The software statement names the key set of the profile.';
  const got = String(claims['software_jwks_endpoint']);
  if (got === tpp.jwks_uri) return ok('software-statement.jwks', title, got);
  return problem('software-statement.jwks', title, {
    section,
    expected: tpp.jwks_uri,
    got,
    fix: 'The bank fetches keys from the address in the statement: name that one in the profile.',
  });
}

function toDate(seconds: unknown): string {
  return typeof seconds === 'number' ? new Date(seconds * 1_000).toISOString() : 'missing';
}

export function messageOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'message') ?? error).split('\n')[0] ?? '';
}
