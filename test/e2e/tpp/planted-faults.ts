import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import type { Agent } from 'node:https';
import { readFile } from 'node:fs/promises';
import type { JsonName } from '@peculiar/x509';
import { SignJWT } from 'jose';
import type { SigningKey } from '#libs/jws';
import { issueCertificate, type Issuer } from '../../../apps/sandbox/src/trust/issue-certificate.js';
import { ensureTrustFramework } from '../../../apps/sandbox/src/trust/trust-framework.js';
import { createCompactJws } from '#libs/jws';
import { registrationClaims } from '../../../apps/tpp/src/oauth/register.js';
import { aConsentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { aJwsHeader, iat, iss, signDetached, tan } from '../../support/detached-jws.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { TestSandbox } from '../../support/start-test-sandbox.js';

/** Members to replace; undefined removes. */
type Members = Readonly<Record<string, unknown>>;

/** What one planted fault has to play with. */
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
  /** words that the explanation must hold: what was expected, what came */
  says?: RegExp;
  /** makes the request that is refused */
  plant: (world: World) => Promise<TestResponse>;
}

export async function readTrust(directory: string): Promise<Pick<World, 'authority' | 'directoryKey'>> {
  const { authority, directorySigningKey } = await ensureTrustFramework({ directory, now: new Date() });
  return { authority, directoryKey: directorySigningKey };
}

const seconds = (): number => Math.floor(Date.now() / 1_000);

/** Signs any claims with any header. */
export function signed(claims: Members, key: KeyObject, header: { alg: string; kid?: string }): Promise<string> {
  const kept = Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
  return new SignJWT(kept).setProtectedHeader({ typ: 'JWT', ...header }).sign(key);
}

function jwsOf({ credentials }: TestTpp, header: { alg?: string; kid?: string } = {}): { alg: string; kid: string } {
  return { alg: credentials.signingAlgorithm, kid: credentials.signingKid, ...header };
}

async function askForToken(
  { sandbox, tpp }: World,
  options: {
    claims?: Members;
    header?: { alg?: string; kid?: string };
    form?: Readonly<Record<string, string>>;
    agent?: Agent;
    key?: KeyObject;
  } = {},
): Promise<TestResponse> {
  const { claims = {}, header = {}, form = {}, agent = tpp.agent, key = tpp.credentials.signingKey } = options;
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
  return httpsRequest({ url: sandbox.description.token_endpoint, method: 'POST', headers, body, agent });
}

async function askForAuthorization(
  { sandbox, tpp }: World,
  options: { claims?: Members; header?: { alg?: string; kid?: string }; query?: Record<string, string> } = {},
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
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return httpsRequest({ url: url.href, agent: sandbox.agent });
}

async function register(
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

/** A transport certificate as wrong as is asked for, with an agent that shows it. */
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

async function otherAuthority(): Promise<Issuer> {
  const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const subject: JsonName = [{ C: ['GB'] }, { CN: ['Some other authority'] }];
  const options = { profile: 'authority', subject, key: privateKey, days: 30, now: new Date() } as const;
  return { certificate: await issueCertificate(options), privateKey };
}

const path = '/file-payment-consents';
const consent = aConsentRequest();
const day = 24 * 3_600_000;

const jws = (fault: string, rule: string, members: Members, says?: RegExp): PlantedFault => ({
  fault,
  rule,
  ...(says && { says }),
  plant: ({ tpp }) => tpp.post(path, consent, { jws: members }),
});

/** Faults of the connection, of the token and of the signature. */
export const apiFaults: readonly PlantedFault[] = [
  {
    fault: 'a certificate of another authority',
    rule: 'certificate.authority',
    says: /Some other authority/,
    plant: async (world) => {
      const { agent } = await aWrongCertificate(world, { issuer: await otherAuthority() });
      return world.tpp.get(`${path}/x`, { agent });
    },
  },
  {
    fault: 'an expired certificate',
    rule: 'certificate.expired',
    plant: async (world) => {
      const past = { issuer: world.authority, now: new Date(Date.now() - 40 * day), days: 30 };
      return world.tpp.get(`${path}/x`, { agent: (await aWrongCertificate(world, past)).agent });
    },
  },
  {
    fault: 'no certificate',
    rule: 'certificate.missing',
    plant: ({ tpp, sandbox }) => tpp.get(`${path}/x`, { agent: sandbox.agent }),
  },
  {
    fault: "another TPP's certificate with the token",
    rule: 'token.certificate',
    plant: ({ tpp, other }) => tpp.get(`${path}/x`, { agent: other.agent }),
  },
  {
    fault: 'a token of somewhere else',
    rule: 'token.unknown',
    plant: ({ tpp }) => tpp.get(`${path}/x`, { accessToken: 'x' }),
  },
  {
    fault: 'no token',
    rule: 'token.missing',
    plant: ({ tpp }) => tpp.get(`${path}/x`, { headers: { authorization: undefined } }),
  },
  {
    fault: 'an expired token',
    rule: 'token.expired',
    says: /expired at/,
    plant: async (world) => {
      const { access_token: accessToken } = (await askForToken(world)).json();
      await world.sandbox.database.query(
        "UPDATE access_tokens SET expires_at = now() - interval '1 minute' WHERE token_hash = sha256($1::text::bytea)",
        [accessToken],
      );
      return world.tpp.get(`${path}/x`, { accessToken: String(accessToken) });
    },
  },
  jws('a kid that nobody published', 'jws.kid', { kid: 'unpublished' }, /unpublished/),
  jws('a clock ten minutes ahead', 'jws.iat', { [iat]: seconds() + 600 }, /s ahead of the bank/),
  jws('RS256', 'jws.alg', { alg: 'RS256' }, /RS256/),
  jws('iss that is the client id', 'jws.iss', { [iss]: 'client-id' }, /client-id/),
  jws('no crit', 'jws.crit', { crit: undefined }),
  jws('crit without the members that must be understood', 'jws.crit', { crit: ['b64'] }),
  jws('a wrong tan', 'jws.tan', { [tan]: 'directory.example' }, /directory\.example/),
  {
    fault: 'a key that is not the published one',
    rule: 'jws.signature',
    plant: ({ tpp }) => {
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      return tpp.post(path, consent, {
        headers: { 'x-jws-signature': signDetached(consent, key, aJwsHeader(tpp.credentials)) },
      });
    },
  },
  {
    fault: 'a body that was parsed and written again',
    rule: 'jws.rewritten',
    says: /two blanks/,
    plant: ({ tpp }) => {
      const pretty = JSON.stringify(JSON.parse(consent), undefined, 2);
      return tpp.post(path, JSON.stringify(JSON.parse(consent)), { headers: { 'x-jws-signature': tpp.sign(pretty) } });
    },
  },
  {
    fault: 'no signature',
    rule: 'jws.missing',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-jws-signature': undefined } }),
  },
  {
    fault: 'a signature that is not detached',
    rule: 'jws.malformed',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-jws-signature': 'a.b.c' } }),
  },
];

/** Faults of headers, consents and files. */
export const resourceFaults: readonly PlantedFault[] = [
  {
    fault: 'no idempotency key',
    rule: 'header.x-idempotency-key',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-idempotency-key': undefined } }),
  },
  {
    fault: 'an idempotency key with another body',
    rule: 'idempotency.reused',
    plant: async ({ tpp }) => {
      const headers = { 'x-idempotency-key': randomUUID() };
      await tpp.post(path, consent, { headers });
      return tpp.post(path, aConsentRequest({ initiation: { FileReference: 'ANOTHER' } }), { headers });
    },
  },
  {
    fault: 'a file that is not that of the consent',
    rule: 'file.hash',
    says: /SHA-256/,
    plant: async ({ tpp }) => {
      const consentId = await tpp.stageConsent(aPaymentFile());
      const file = aPaymentFile();
      return tpp.upload(consentId, { ...file, body: Buffer.concat([file.body, Buffer.from('\n')]) });
    },
  },
  {
    fault: 'a file of 151 payments',
    rule: 'file.items',
    says: /an array of 151/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile({ payments: 151 });
      return tpp.upload(await tpp.stageConsent(file, { NumberOfTransactions: '150', ControlSum: undefined }), file);
    },
  },
  {
    fault: 'a FileType of another bank',
    rule: 'file.type',
    says: /UK\.OBIE\.pain\.001/,
    plant: ({ tpp }) => tpp.post(path, aConsentRequest({ initiation: { FileType: 'UK.OBIE.pain.001.001.08' } })),
  },
  {
    fault: 'a payment before the customer has approved',
    rule: 'consent.status',
    says: /Await/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) });
    },
  },
  {
    fault: 'a consent of another client',
    rule: 'consent.owner',
    plant: async ({ tpp, other }) => other.get(`${path}/${await tpp.stageConsent()}`),
  },
  {
    fault: 'a consent that does not exist',
    rule: 'consent.not-found',
    plant: ({ tpp }) => tpp.get(`${path}/${randomUUID()}`),
  },
  {
    fault: 'XML where JSON is due',
    rule: 'media-type',
    says: /text\/xml/,
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'content-type': 'text/xml' } }),
  },
];

/** Faults at the token endpoint, the authorization endpoint and in registration. */
export const oauthFaults: readonly PlantedFault[] = [
  {
    fault: 'an assertion for another bank',
    rule: 'client-assertion.aud',
    says: /https:\/\/other\.bank\.example/,
    plant: (world) => askForToken(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'an assertion that is used twice',
    rule: 'client-assertion.jti-reused',
    plant: async (world) => {
      const claims = { jti: randomUUID() };
      await askForToken(world, { claims });
      return askForToken(world, { claims });
    },
  },
  {
    fault: 'a clock two minutes behind',
    rule: 'client-assertion.exp',
    says: /s behind the bank/,
    plant: (world) => askForToken(world, { claims: { iat: seconds() - 120, exp: seconds() - 60 } }),
  },
  {
    fault: 'a clock two minutes ahead',
    rule: 'client-assertion.iat',
    says: /1[12]\d s ahead of the bank/,
    plant: (world) => askForToken(world, { claims: { iat: seconds() + 120, exp: seconds() + 180 } }),
  },
  {
    fault: 'an assertion signed with RS256',
    rule: 'client-assertion.alg',
    says: /RS256/,
    plant: (world) => askForToken(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'an assertion with a wrong kid',
    rule: 'client-assertion.kid',
    says: /nobody/,
    plant: (world) => askForToken(world, { header: { kid: 'nobody' } }),
  },
  {
    fault: 'an assertion signed with a key that is not published',
    rule: 'client-assertion.signature',
    plant: (world) => askForToken(world, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
  },
  {
    fault: 'a scope that is not registered',
    rule: 'scope',
    says: /fundsconfirmations/,
    plant: (world) => askForToken(world, { form: { scope: 'fundsconfirmations' } }),
  },
  {
    fault: 'a client that does not exist',
    rule: 'client.unknown',
    plant: (world) => {
      const id = randomUUID();
      return askForToken(world, { claims: { iss: id, sub: id }, form: { client_id: id } });
    },
  },
  {
    fault: "another TPP's certificate at the token endpoint",
    rule: 'certificate.owner',
    plant: (world) => askForToken(world, { agent: world.other.agent }),
  },
  {
    fault: 'a code that nobody issued',
    rule: 'grant.code',
    plant: (world) =>
      askForToken(world, {
        form: {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: world.tpp.credentials.redirectUris[0] ?? '',
        },
      }),
  },
  {
    fault: 'a request object for another bank',
    rule: 'request-object.aud',
    plant: (world) => askForAuthorization(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'a request object of another client',
    rule: 'request-object.client_id',
    plant: (world) => askForAuthorization(world, { claims: { client_id: randomUUID() } }),
  },
  {
    fault: 'a request object without nonce',
    rule: 'request-object.nonce',
    plant: (world) => askForAuthorization(world, { claims: { nonce: undefined } }),
  },
  {
    fault: 'an expired request object',
    rule: 'request-object.exp',
    plant: (world) => askForAuthorization(world, { claims: { nbf: seconds() - 600, exp: seconds() - 300 } }),
  },
  {
    fault: 'a redirect address that is not registered',
    rule: 'authorization.redirect_uri',
    says: /elsewhere\.example/,
    plant: (world) => askForAuthorization(world, { claims: { redirect_uri: 'https://elsewhere.example/cb' } }),
  },
  {
    fault: 'a request object signed with RS256',
    rule: 'request-object.alg',
    plant: (world) => askForAuthorization(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'an expired software statement',
    rule: 'software-statement.exp',
    plant: async (world) =>
      register(world, { claims: { software_statement: await statementWith(world, { exp: seconds() - 60 }) } }),
  },
  {
    fault: 'a redirect address that is missing in the software statement',
    rule: 'registration.redirect_uris',
    says: /elsewhere\.example/,
    plant: (world) => register(world, { claims: { redirect_uris: ['https://elsewhere.example/cb'] } }),
  },
  {
    fault: 'a registration signed with RS256',
    rule: 'registration.alg',
    plant: (world) => register(world, { header: { alg: 'RS256' } }),
  },
  {
    fault: 'a registration for another bank',
    rule: 'registration.aud',
    plant: (world) => register(world, { claims: { aud: 'https://other.bank.example' } }),
  },
  {
    fault: 'a registration signed with a key that is not published',
    rule: 'registration.kid',
    plant: (world) => register(world, { header: { kid: 'nobody' } }),
  },
];

/** Reads a PEM or JWT file that sandbox.json names. */
export function readNamed(file: string | undefined): Promise<string> {
  return readFile(resolve(file ?? ''), 'utf8');
}
