import { finding, type Finding } from '#libs/error-catalogue';
import { decodeJwt, publishedKeys, timeBeside, type RefusedCase } from './refused-case.js';

/** One of the three JWTs that a TPP signs, and what it must contain. */
export interface ExpectedJwt {
  /** prefix of the rules: client-assertion, request-object, registration */
  kind: string;
  jwt: string | undefined;
  algorithm: string;
  software: { orgId: string; softwareId: string } | undefined;
  /** by name of the claim */
  claims: Readonly<Record<string, unknown>>;
}

/** The claims that are times (RFC 7519 s4.1). */
export const times: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf']);

/** @returns the finding for a claim or header member that was refused by its name */
export function explainMember(refused: RefusedCase, expected: ExpectedJwt, member: string): Finding {
  const { header, claims } = decodeJwt(expected.jwt);
  const rule = `${expected.kind}.${member}`;
  if (member === 'alg') return finding(rule, expected.algorithm, header['alg']);
  if (member === 'typ') {
    const typ = expected.kind === 'request-object' ? 'oauth-authz-req+jwt' : 'JWT';
    return finding(rule, `${typ}, or none`, header['typ']);
  }
  const got = times.has(member) ? timeBeside(claims[member], refused.now) : claims[member];
  const isTime = times.has(member);
  return finding(rule, expected.claims[member] ?? (isTime ? timeExpected(member, refused.now) : 'a text'), got);
}

/** RFC 7519 s4.1.4, and what this bank allows at most. */
function timeExpected(member: string, now: Date): string {
  const about = now.toISOString();
  return member === 'exp' ? `after ${about}, and at most 60 minutes later` : `about now: ${about}`;
}

/** @returns why the signature of a JWT was refused: its algorithm, its kid, or the signature itself */
export async function explainSignature(refused: RefusedCase, expected: ExpectedJwt): Promise<Finding> {
  const { kind, algorithm, software } = expected;
  const { header } = decodeJwt(expected.jwt);
  if (header['alg'] !== algorithm) return finding(`${kind}.alg`, algorithm, header['alg']);
  const keys = software === undefined ? [] : await publishedKeys(refused.registry, software);
  const kids = keys.map(({ kid }) => kid);
  if (!kids.includes(String(header['kid']))) {
    return finding(`${kind}.kid`, kids.join(' or ') || 'a published key', header['kid']);
  }
  return finding(
    `${kind}.signature`,
    `a signature made with the private key of ${String(header['kid'])}`,
    'a signature that this key does not verify: made with another key, or over another text',
  );
}
