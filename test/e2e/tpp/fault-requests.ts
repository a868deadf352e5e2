import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Agent } from 'node:https';
import { readFile } from 'node:fs/promises';
import type { JsonName } from '@peculiar/x509';
import { SignJWT } from 'jose';
import { createCompactJws, type SigningKey } from '#libs/jws';
import { issueCertificate, type Issuer } from '../../../apps/sandbox/src/trust/issue-certificate.js';
import { ensureTrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';
import { registrationClaims } from '../../../apps/tpp/src/oauth/register.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';

/** Members to replace; undefined removes. */
export type Members = Readonly<Record<string, unknown>>;

/** The context of a planted fault. */
export interface World {
  sandbox: TestSandbox;
  tpp: TestTpp;
  other: TestTpp;
  authority: Issuer;
  directoryKey: SigningKey;
}

/** A fault that a TPP makes, and the rule that refuses it. */
export interface PlantedFault {
  fault: string;
  rule: string;
  /** words that the explanation must contain: the expected and the actual value */
  says?: RegExp;
  /** makes the request that is refused */
  plant: (world: World) => Promise<TestResponse>;
}

/** @returns the signing keys of a sandbox's authority and directory */
export async function readTrust(directory: string): Promise<Pick<World, 'authority' | 'directoryKey'>> {
  const { authority, directorySigningKey } = await ensureTrustFramework({ directory, now: new Date() });
  return { authority, directoryKey: directorySigningKey };
}

/** Now, in seconds of the epoch. */
export const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Signs any claims with any header. */
export function signed(claims: Members, key: KeyObject, header: { alg: string; kid?: string }): Promise<string> {
  const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(kept).setProtectedHeader({ typ: 'JWT', ...header }).sign(key);
}

function jwsOf({ credentials }: TestTpp, header: { alg?: string; kid?: string } = {}): { alg: string; kid: string } {
  return { alg: credentials.signingAlgorithm, kid: credentials.signingKid, ...header };
}

/** Asks for a token with a secret in the Authorization header. */
export function askByBasic({ sandbox, tpp }: World): Promise<TestResponse> {
  return httpsRequest({
    url: sandbox.description.token_endpoint,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${tpp.clientId}:${randomUUID()}`).toString('base64')}`,
    },
    body: 'grant_type=client_credentials&scope=payments',
    agent: tpp.agent,
  });
}

/** Requests a token as the TPP does, with differences. */
export async function askForToken(
  { sandbox, tpp }: World,
  options: {
    claims?: Members;
    header?: { alg?: string; kid?: string };
    form?: Readonly<Record<string, string>>;
    agent?: Agent;
    key?: KeyObject;
    url?: string;
  } = {},
): Promise<TestResponse> {
  const { claims = {}, header = {}, form = {}, agent = tpp.agent, key = tpp.credentials.signingKey } = options;
  const { url = sandbox.description.token_endpoint } = options;
  const { clientId } = tpp;
  const now = seconds();
  const all = {
    iss: clientId,
    sub: clientId,
    aud: sandbox.description.issuer,
    iat: now,
    exp: now + 60,
    jti: randomUUID(),
  };
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    scope: 'payments',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await signed({ ...all, ...claims }, key, jwsOf(tpp, header)),
    ...form,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  return httpsRequest({ url, method: 'POST', headers, body, agent });
}

/** Sends a customer to the bank as the TPP does, with differences. */
export async function askForAuthorization(
  { sandbox, tpp }: World,
  options: {
    claims?: Members;
    header?: { alg?: string; kid?: string };
    query?: Record<string, string>;
    isForm?: boolean;
  } = {},
): Promise<TestResponse> {
  const { clientId, credentials } = tpp;
  const now = seconds();
  const redirectUri = credentials.redirectUris[0] ?? '';
  const all = {
    iss: clientId,
    aud: sandbox.description.issuer,
    iat: now,
    nbf: now,
    exp: now + 300,
    jti: randomUUID(),
    client_id: clientId,
    response_type: 'code id_token',
    redirect_uri: redirectUri,
    scope: 'openid payments',
    state: 'state',
    nonce: 'nonce',
    claims: { id_token: { openbanking_intent_id: { value: randomUUID(), essential: true } } },
    ...options.claims,
  };
  const url = new URL(sandbox.description.authorization_endpoint);
  const query = {
    client_id: clientId,
    response_type: 'code id_token',
    scope: 'openid payments',
    redirect_uri: String(all.redirect_uri ?? redirectUri),
    request: await signed(all, credentials.signingKey, jwsOf(tpp, options.header)),
    ...options.query,
  };
  if (options.isForm === true) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(query).toString();
    return httpsRequest({ url: url.href, method: 'POST', headers, body, agent: sandbox.agent });
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return httpsRequest({ url: url.href, agent: sandbox.agent });
}

/** Pushes a request object with differences. */
export async function push(world: World, claims: Members): Promise<TestResponse> {
  const { tpp, sandbox } = world;
  const now = seconds();
  const own = {
    iss: tpp.clientId,
    client_id: tpp.clientId,
    aud: sandbox.description.issuer,
    nbf: now,
    exp: now + 300,
    redirect_uri: tpp.credentials.redirectUris[0],
  };
  const request = await signed({ ...own, ...claims }, tpp.credentials.signingKey, jwsOf(tpp));
  const url = sandbox.description.token_endpoint.replace(/token$/, 'par');
  return askForToken(world, { form: { request }, url });
}

/** Registers as the TPP does, with differences. */
export async function register(
  { sandbox, tpp }: World,
  options: { claims?: Members; header?: { alg?: string; kid?: string }; key?: KeyObject } = {},
): Promise<TestResponse> {
  const { credentials, provider, agent } = tpp;
  const now = seconds();
  const claims = {
    ...registrationClaims(provider, credentials),
    iat: now,
    exp: now + 300,
    jti: randomUUID(),
    ...options.claims,
  };
  return httpsRequest({
    url: sandbox.description.registration_endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: await signed(claims, options.key ?? credentials.signingKey, jwsOf(tpp, options.header)),
    agent,
  });
}

/** The TPP's software statement with other claims, signed by the directory itself. */
export async function statementWith(
  { tpp, directoryKey }: Pick<World, 'tpp' | 'directoryKey'>,
  claims: Members,
): Promise<string> {
  const [, payload = ''] = tpp.credentials.softwareStatement.split('.');
  const own = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Members;
  return createCompactJws({
    header: { typ: 'JWT' },
    payload: JSON.stringify({ ...own, ...claims }),
    key: directoryKey,
  });
}

/** An invalid transport certificate, with an agent that presents it. */
export async function aWrongCertificate(
  { sandbox, tpp }: Pick<World, 'sandbox' | 'tpp'>,
  options: { issuer: Issuer; now?: Date; days?: number },
): Promise<{ certificate: string; privateKey: string; agent: Agent }> {
  const { issuer, now = new Date(), days = 30 } = options;
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const { orgId, softwareId } = tpp.credentials;
  const subject: JsonName = [{ C: ['GB'] }, { O: ['OpenBanking'] }, { OU: [orgId] }, { CN: [softwareId] }];
  const certificate = await issueCertificate({ profile: 'transport', subject, key, issuer, days, now });
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { certificate, privateKey, agent: httpsAgent({ ca: sandbox.ca, certificate, privateKey }) };
}

/** @returns an untrusted authority */
export async function otherAuthority(): Promise<Issuer> {
  const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const subject: JsonName = [{ C: ['GB'] }, { CN: ['Some other authority'] }];
  const options = { profile: 'authority', subject, key: privateKey, days: 30, now: new Date() } as const;
  return { certificate: await issueCertificate(options), privateKey };
}

/** Reads a PEM or JWT file that sandbox.json names. */
export function readNamed(file: string | undefined): Promise<string> {
  return readFile(resolve(file ?? ''), 'utf8');
}
