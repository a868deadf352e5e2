import type { JsonWebKey } from 'node:crypto';
import { flattenedVerify, importJWK } from 'jose';
import { finding, type Finding } from '#libs/error-catalogue';
import { type DetachedJwsError, rewrittenForms } from '#libs/jws';
import { bodyOf, decodeJwt, publishedKeys, timeBeside, type RefusedCase } from './refused-case.js';

const obie = 'http://openbanking.org.uk/';
const critical = [`${obie}iat`, `${obie}iss`, `${obie}tan`];
const understood = Object.fromEntries(critical.map((name) => [name, true]));

/** Why the signature of a request's body was refused. */
export async function explainDetachedJws(refused: RefusedCase, error: DetachedJwsError): Promise<Finding> {
  const { request, now, registry, config } = refused;
  const { accessToken } = request;
  const value = String(request.headers['x-jws-signature'] ?? '');
  const { header } = decodeJwt(value);
  const software = { orgId: accessToken?.orgId ?? '', softwareId: accessToken?.softwareId ?? '' };
  const keys = await publishedKeys(registry, software);
  if (error.code === 'Malformed') return finding('jws.malformed', 'header..signature', error.message);
  if (error.code === 'Invalid') return explainBody(refused, value, header, keys);
  const member = error.path.replace(obie, '');
  const rule = `jws.${member}`;
  if (error.code === 'MissingClaim') return finding(rule, `${error.path} in the header`, undefined);
  const got = header[error.path];
  const expectations: Readonly<Record<string, string>> = {
    alg: accessToken?.signingAlgorithms.join(' or ') ?? 'PS256',
    kid: keys.map(({ kid }) => kid).join(' or '),
    iat: `not later than ${now.toISOString()} and a minute`,
    iss: `${software.orgId}/${software.softwareId}`,
    tan: config.signing.trustAnchor,
    crit: JSON.stringify([...(header['b64'] === false ? ['b64'] : []), ...critical]),
    b64: 'false, and named in crit; or absent',
  };
  return finding(rule, expectations[member] ?? 'no such member', member === 'iat' ? timeBeside(got, now) : got);
}

/** The header was right, the signature was not: finds out what was signed instead. */
async function explainBody(
  { request }: RefusedCase,
  value: string,
  header: Record<string, unknown>,
  keys: readonly { kid: string; jwk: JsonWebKey }[],
): Promise<Finding> {
  const body = bodyOf(request);
  const [protectedHeader = '', , signature = ''] = value.split('.');
  const jwk = keys.find(({ kid }) => kid === header['kid'])?.jwk;
  const isRaw = header['b64'] === false;
  const fits = async (bytes: Buffer | string): Promise<boolean> => {
    if (jwk === undefined) return false;
    try {
      const key = await importJWK(jwk as Parameters<typeof importJWK>[0], String(header['alg']));
      const payload = isRaw ? bytes : Buffer.from(bytes).toString('base64url');
      await flattenedVerify({ protected: protectedHeader, payload, signature }, key, { crit: understood });
      return true;
    } catch {
      // It does not verify, which is the answer.
      return false;
    }
  };
  for (const form of rewrittenForms(body)) {
    if (!(await fits(form.body))) continue;
    return finding(
      'jws.rewritten',
      `a signature over the ${body.length} bytes that came`,
      `a signature over the same JSON ${form.name} (${form.body.length} bytes)`,
    );
  }
  if (isRaw && (await fits(body.toString('base64url')))) {
    return finding('jws.signature', 'the bytes signed (b64 false)', 'their base64url form signed');
  }
  return finding(
    'jws.signature',
    `a signature over the ${body.length} bytes that came, by ${String(header['kid'])}`,
    'a signature over something else, or by another key',
  );
}
