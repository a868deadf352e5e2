import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtemp, writeFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenForRefusals } from '#libs/http-server';
import { createCompactJws, type SigningKey } from '#libs/jws';
import { seconds } from '../../support/a-client.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { aCertificate } from '../../support/certificates.js';
import { httpsRequest, httpsAgent, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';
import { Cli } from './cli.js';
import type { Issuer } from '../../support/apps/certificates.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { registrationClaims } from '../../support/apps/tpp.js';
import { aConsentRequest, anInitiation } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aJwsHeader, iat, iss, signDetached, tan } from '../../support/detached-jws.js';

/** Members to replace; undefined removes. */
type Members = Readonly<Record<string, unknown>>;

/** The context of a planted fault. */
interface World {
  sandbox: TestSandbox;
  tpp: TestTpp;
  other: TestTpp;
  authority: Issuer;
  directoryKey: SigningKey;
}

/** A fault that a TPP makes, and the rule that refuses it. */
interface PlantedFault {
  fault: string;
  rule: string;
  /** words that the explanation must contain: the expected and the actual value */
  says?: RegExp;
  /** makes the request that is refused */
  plant: (world: World) => Promise<TestResponse>;
}

/** @returns the signing keys of a sandbox's authority and directory */
async function readTrust(directory: string): Promise<Pick<World, 'authority' | 'directoryKey'>> {
  const { authority, directorySigningKey } = await ensureTrustFramework({ directory, now: new Date() });
  return { authority, directoryKey: directorySigningKey };
}

/** Differences of what the TPP signs. */
interface Signing {
  claims?: Members;
  header?: { alg?: string; kid?: string };
  key?: KeyObject;
}

/** Asks for a token with a secret in the Authorization header. */
function askByBasic({ tpp }: World): Promise<TestResponse> {
  const authorization = `Basic ${Buffer.from(`${tpp.clientId}:${randomUUID()}`).toString('base64')}`;
  const form = { grant_type: 'client_credentials', scope: 'payments' };
  return tpp.token(form, { authentication: { headers: { authorization } } });
}

/** Requests a token as the TPP does, with differences. */
async function askForToken(
  { tpp }: World,
  options: Signing & { form?: Readonly<Record<string, string>>; agent?: Agent; url?: string } = {},
): Promise<TestResponse> {
  const { claims, header, form, key, ...connection } = options;
  const own = { aud: tpp.provider.issuer, nbf: undefined, ...claims };
  const assertion = tpp.assertion(own, { header: { typ: 'JWT', ...header }, ...(key && { key }) });
  return tpp.token(
    { grant_type: 'client_credentials', scope: 'payments', client_id: tpp.clientId, ...form },
    { authentication: { form: assertion }, ...connection },
  );
}

/** Sends a customer to the bank as the TPP does, with differences. */
async function askForAuthorization(
  { sandbox, tpp }: World,
  options: Pick<Signing, 'claims' | 'header'> & { query?: Record<string, string>; isForm?: boolean } = {},
): Promise<TestResponse> {
  const intent = { claims: { id_token: { openbanking_intent_id: { value: randomUUID(), essential: true } } } };
  const query = { client_id: tpp.clientId, response_type: 'code id_token', ...options.query };
  const header = { typ: 'JWT', ...options.header };
  const url = tpp.authorizationUrl(tpp.requestObject({ ...intent, ...options.claims }), { query, header });
  const { agent } = sandbox;
  if (options.isForm !== true) return httpsRequest({ url, agent });
  const [address = '', body = ''] = url.split('?');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return httpsRequest({ url: address, method: 'POST', headers, body, agent });
}

/** Pushes a request object with differences. */
function push(world: World, claims: Members): Promise<TestResponse> {
  const { tpp } = world;
  const request = tpp.sign(tpp.requestObject(claims), { header: { typ: 'JWT' } });
  return askForToken(world, { form: { request }, url: tpp.provider.token_endpoint.replace(/token$/, 'par') });
}

/** Registers as the TPP does, with differences. */
async function register({ tpp }: World, { claims, header, key }: Signing = {}): Promise<TestResponse> {
  const { credentials, provider, agent } = tpp;
  const own = { iat: seconds(), exp: seconds() + 300, jti: randomUUID() };
  return httpsRequest({
    url: provider.registration_endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: tpp.sign(
      { ...registrationClaims(provider, credentials), ...own, ...claims },
      { header: { typ: 'JWT', ...header }, ...(key && { key }) },
    ),
    agent,
  });
}

/** The TPP's software statement with other claims, signed by the directory itself. */
async function statementWith(
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
async function aWrongCertificate(
  { sandbox, tpp }: Pick<World, 'sandbox' | 'tpp'>,
  options: { issuer: Issuer; now?: Date; days?: number },
): Promise<{ certificate: string; privateKey: string; agent: Agent }> {
  const { orgId, softwareId } = tpp.credentials;
  const subject: Record<string, string[]>[] = [
    { C: ['GB'] },
    { O: ['OpenBanking'] },
    { OU: [orgId] },
    { CN: [softwareId] },
  ];
  const wrong = await aCertificate({ profile: 'transport', name: softwareId, subject, ...options });
  const { certificate, privateKeyPem: privateKey } = wrong;
  return { certificate, privateKey, agent: httpsAgent({ ca: sandbox.ca, certificate, privateKey }) };
}

/** Reads a PEM or JWT file that sandbox.json names. */
function readNamed(file: string | undefined): Promise<string> {
  return readFile(resolve(file ?? ''), 'utf8');
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
const apiFaults: readonly PlantedFault[] = [
  {
    fault: 'a certificate of another authority',
    rule: 'certificate.authority',
    says: /Some other authority/,
    plant: async (world) => {
      const { agent } = await aWrongCertificate(world, {
        issuer: await aCertificate({ profile: 'authority', name: 'Some other authority' }),
      });
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
    says: /two spaces/,
    plant: ({ tpp }) => {
      const pretty = JSON.stringify(JSON.parse(consent), undefined, 2);
      return tpp.post(path, JSON.stringify(JSON.parse(consent)), {
        headers: { 'x-jws-signature': tpp.signBody(pretty) },
      });
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
const resourceFaults: readonly PlantedFault[] = [
  {
    fault: 'no idempotency key',
    rule: 'header.x-idempotency-key',
    plant: ({ tpp }) => tpp.post(path, consent, { headers: { 'x-idempotency-key': undefined } }),
  },
  {
    fault: 'an idempotency key with another body',
    rule: 'idempotency.reused',
    says: /^the body of the first request with this key, or a new key \S{36} with another body$/,
    plant: async ({ tpp }) => {
      const headers = { 'x-idempotency-key': randomUUID() };
      await tpp.post(path, consent, { headers });
      return tpp.post(path, aConsentRequest({ initiation: { FileReference: 'ANOTHER' } }), { headers });
    },
  },
  {
    fault: 'a file that is not that of the consent',
    rule: 'file.hash',
    says: /^bytes with the SHA-256 (\S{44}), as the consent says bytes with the SHA-256 (?!\1)\S{44}$/,
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
    fault: 'a file of two payments where the consent says three',
    rule: 'file.count',
    says: /^3, as the consent says /,
    plant: async ({ tpp }) => {
      const file = aPaymentFile({ payments: 2 });
      return tpp.upload(await tpp.stageConsent(file, { NumberOfTransactions: '3', ControlSum: undefined }), file);
    },
  },
  {
    fault: 'a second file',
    rule: 'consent.status',
    says: /^a consent that is AwaitingUpload .*AwaitingAuthorisation/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.upload(await tpp.stageFile(file), file);
    },
  },
  {
    fault: 'a file that nobody has uploaded',
    rule: 'file.missing',
    plant: async ({ tpp }) => tpp.get(`${path}/${await tpp.stageConsent()}/file`),
  },
  {
    fault: 'a payment with another reference than its consent',
    rule: 'consent.mismatch',
    says: /^Data\.Initiation\.FileReference of the consent: .+ ANOTHER$/,
    plant: async ({ tpp }) => {
      const { consentId, initiation } = await tpp.authorise();
      return tpp.pay({ consentId, initiation: { ...initiation, FileReference: 'ANOTHER' } });
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
    says: /^a consent that is Authorised .*AwaitingAuthorisation/,
    plant: async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) });
    },
  },
  {
    fault: "a token of another consent's approval",
    rule: 'token.consent',
    plant: async ({ tpp }) => {
      const accessToken = await tpp.exchangeCode(await tpp.authorise());
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) }, { accessToken });
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

const ask = ({ agent }: TestTpp, url: string): Promise<TestResponse> => httpsRequest({ url, agent });

/** Faults at the token endpoint, the authorization endpoint and in registration. */
const oauthFaults: readonly PlantedFault[] = [
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
    fault: 'an assertion that is good for two hours',
    rule: 'client-assertion.exp',
    says: /at most 3600 seconds \(60 minutes\)/,
    plant: (world) => askForToken(world, { claims: { exp: seconds() + 7_200 } }),
  },
  {
    fault: 'Basic by a client of another method',
    rule: 'client.method',
    says: /private_key_jwt[^]*client_secret_basic/,
    plant: (world) => askByBasic(world),
  },
  {
    fault: 'two ways of authenticating at once',
    rule: 'client.credentials',
    plant: (world) => askForToken(world, { form: { client_secret: 'x' } }),
  },
  {
    fault: 'a refresh token that nobody issued, by a client without the grant',
    rule: 'grant.type',
    plant: (world) => askForToken(world, { form: { grant_type: 'refresh_token', refresh_token: 'x' } }),
  },
  {
    fault: 'an unknown address',
    rule: 'path.unknown',
    says: /\/oauth2\/tokens/,
    plant: ({ sandbox, tpp }) => ask(tpp, `${sandbox.description.token_endpoint}s?x=secret`),
  },
  {
    fault: 'an unknown address of the authorization endpoint',
    rule: 'path.unknown',
    plant: ({ sandbox, tpp }) => ask(tpp, `${sandbox.description.authorization_endpoint}s`),
  },
  {
    fault: 'GET at the token endpoint',
    rule: 'path.method',
    says: /POST[^]*GET \/oauth2\/token$/,
    plant: ({ sandbox, tpp }) => ask(tpp, sandbox.description.token_endpoint),
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
    plant: async (world) => {
      const registered = await register(world, { claims: { scope: 'openid payments' } });
      const id = String(registered.json()['client_id']);
      const form = { client_id: id, scope: 'fundsconfirmations' };
      return askForToken(world, { claims: { iss: id, sub: id }, form });
    },
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
    fault: 'a request object that is good for two hours',
    rule: 'request-object.exp',
    says: /at most 3600 seconds \(60 minutes\)/,
    plant: (world) => askForAuthorization(world, { claims: { exp: seconds() + 7_200 } }),
  },
  {
    fault: 'a response_mode that is not offered',
    rule: 'authorization.response_mode',
    says: /fragment[^]*form_post/,
    plant: (world) => askForAuthorization(world, { claims: { response_mode: 'form_post' } }),
  },
  {
    fault: 'a response_type that is not registered',
    rule: 'authorization.response_type',
    says: /code id_token[^]*token/,
    plant: (world) =>
      askForAuthorization(world, { claims: { response_type: 'token' }, query: { response_type: 'token' } }),
  },
  {
    fault: 'an essential acr that this bank does not reach',
    rule: 'authorization.acr',
    says: /urn:openbanking:psd2:sca[^]*urn:example:gold/,
    plant: (world) => {
      const intent = { value: randomUUID(), essential: true };
      const acr = { value: 'urn:example:gold', essential: true };
      return askForAuthorization(world, { claims: { claims: { id_token: { openbanking_intent_id: intent, acr } } } });
    },
  },
  {
    fault: 'a consent that is nobody’s',
    rule: 'request-object.intent',
    plant: (world) => askForAuthorization(world),
  },
  {
    fault: 'a request without a request object',
    rule: 'request.signed',
    plant: ({ sandbox, tpp }) => {
      const url = new URL(sandbox.description.authorization_endpoint);
      url.searchParams.set('client_id', tpp.clientId);
      return ask(tpp, url.href);
    },
  },
  {
    fault: 'a pushed request object for another bank',
    rule: 'request-object.aud',
    plant: (world) => push(world, { aud: 'https://other.bank.example' }),
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
    fault: 'a redirect address that is not registered, in a request sent as a form',
    rule: 'authorization.redirect_uri',
    says: /elsewhere\.example/,
    plant: (world) =>
      askForAuthorization(world, { claims: { redirect_uri: 'https://elsewhere.example/cb' }, isForm: true }),
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

interface Finding {
  rule: string;
  section: string;
  expected: string;
  got: string;
  fix: string;
}

describe('a request that was refused', () => {
  let world: World;
  let sandbox: TestSandbox;
  let cli: Cli;

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    const [tpp, other, trust] = await Promise.all([
      aTpp(sandbox),
      aTpp(sandbox, { index: 1 }),
      readTrust(sandbox.directory),
    ]);
    world = { sandbox, tpp, other, ...trust };
    cli = await Cli.create(sandbox.directory);
  });

  afterAll(async () => {
    world?.tpp.close();
    world?.other.close();
    await sandbox?.stop();
  });

  const all = [...apiFaults, ...resourceFaults, ...oauthFaults];

  it.each(all)('$fault: doctor names $rule', async ({ rule, says, plant }) => {
    const { status, headers } = await plant(world);
    expect(status).toBeGreaterThanOrEqual(300);
    const { exitCode, json } = await cli.run('why', String(headers['x-fapi-interaction-id']), '--json');
    expect(exitCode).toBe(0);
    const findings = json()['findings'] as Finding[];
    expect(findings.map((finding) => finding.rule)).toContain(rule);
    expect(findings[0]?.rule).toBe(rule);
    for (const { section, fix, expected, got } of findings) {
      expect([section.length > 3, fix.length > 10]).toEqual([true, true]);
      expect(got).not.toBe(expected);
      // Each says something of its own.
      expect([expected, got]).not.toContain('not so');
    }
    if (says) expect(`${findings[0]?.expected} ${findings[0]?.got}`).toMatch(says);
  });

  it('there are at least 25 of them, all different', () => {
    expect(new Set(all.map(({ fault }) => fault)).size).toBeGreaterThanOrEqual(25);
  });

  it('is explained by doctor --request, too, beside the checks', async () => {
    const { headers } = await world.tpp.get('/file-payment-consents/x');
    const { out } = await cli.run('doctor', '--request', String(headers['x-fapi-interaction-id']));
    expect(out).toContain('[consent.not-found]');
    expect(out).toContain('[certificate.expired]');
  });

  it('cites the version of the request', async () => {
    const { agent, accessToken } = world.tpp;
    const url = `${sandbox.description.base_url}/open-banking/v4.0/pisp/file-payment-consents/x`;
    const { headers } = await httpsRequest({ url, agent, headers: { authorization: `Bearer ${accessToken}` } });
    const { out } = await cli.done('why', String(headers['x-fapi-interaction-id']));
    expect(out).toContain('Read/Write profile 4.0, resource identifiers');
    expect(out).not.toContain('Read/Write profile 3.1');
  });

  it('why without an id explains the last one of ours', async () => {
    await cli.done('register');
    await cli.run('upload', 'docs/examples/three-payments.json', '--consent', randomUUID());
    expect((await cli.done('why')).out).toContain('[consent.not-found]');
  });

  it('an id without a refusal is reported as such', async () => {
    const { exitCode, err } = await cli.run('why', randomUUID());
    expect(exitCode).toBe(1);
    expect(err).toContain('has no refused request');
  });

  it('shows neither token, secret nor assertion', async () => {
    const { accessToken } = world.other;
    const response = await world.tpp.get('/file-payment-consents/x', { accessToken });
    const { out } = await cli.done('why', String(response.headers['x-fapi-interaction-id']), '--json');
    expect(out).toContain('token.certificate');
    expect(out).not.toContain(accessToken);
  });

  it('is explained for accounts, which the bank’s own server refuses', async () => {
    const reading = await Cli.create(sandbox.directory);
    await reading.done('register');
    await reading.done('access-consent', '--permissions', 'ReadAccountsBasic');
    await reading.done('authorise', '--as', 'alice');
    for (const [command, rule, said] of [
      [['accounts', 'nonsense'], 'consent.not-found', /expected +an AccountId of GET .*\n +got +nonsense\n/],
      [['balances', randomUUID()], 'consent.permission', /expected +ReadBalances\n +got +ReadAccountsBasic\n/],
    ] as const) {
      expect((await reading.run(...command)).exitCode).toBe(1);
      const { out } = await reading.done('why');
      expect(out).toContain(`[${rule}]`);
      expect(out).toMatch(said);
    }
    const url = `${sandbox.description.base_url}/open-banking/v4.0/aisp/accounts`;
    const headers = { authorization: `Bearer ${world.tpp.accessToken}` };
    for (const [token, rule, of] of [
      [{}, '[token.missing]'],
      [{ authorization: 'Bearer x' }, '[token.unknown]'],
      [headers, '[token.scope]'],
      [{ accept: 'text/html' }, '[media-type]'],
      [{}, '[path.method]', { method: 'POST' }],
      [{}, '[path.unknown]', { url: `${url}/1/transactions` }],
    ] as const) {
      const answer = await httpsRequest({ url, agent: world.tpp.agent, headers: token, ...of });
      expect((await cli.done('why', String(answer.headers['x-fapi-interaction-id']))).out).toContain(rule);
    }
  });

  it('is known to the sandbox alone: the services have no such address', async () => {
    const { agent } = world.tpp;
    for (const origin of [sandbox.description.base_url, new URL(sandbox.description.token_endpoint).origin]) {
      expect((await httpsRequest({ url: `${origin}/sandbox/refusals/${randomUUID()}`, agent })).status).toBe(404);
    }
    // After it stops listening, it receives nothing more.
    let heard = 0;
    listenForRefusals(() => (heard += 1))();
    await world.tpp.get('/file-payment-consents/x');
    expect(heard).toBe(0);
  });

  describe('doctor without a request', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(process.env['TEST_RUN_FOLDER'] ?? '', 'doctor-'));
    });

    /** A profile like the sandbox's first TPP, with the differences of a test. */
    const profileWith = async (tpp: object, members: object = {}): Promise<string> => {
      const { description } = sandbox;
      const [own] = description.tpps;
      const files = Object.entries(own ?? {}).filter(([name]) => name.endsWith('_file'));
      const absolute = Object.fromEntries(files.map(([name, file]) => [name, resolve(String(file))]));
      const file = join(folder, `${randomUUID()}.json`);
      const content = {
        discovery_uri: description.discovery_uri,
        ca_file: resolve(description.ca_file),
        client_ca_file: resolve(description.ca_file),
        directory_jwks_uri: description.directory.jwks_uri,
        tpp: { ...own, ...absolute, ...tpp },
        ...members,
      };
      await writeFile(file, JSON.stringify(content));
      return file;
    };

    const problemsOf = async (tpp: object, members: object = {}): Promise<string[]> => {
      const run = await cli.run('doctor', '--json', '--profile', await profileWith(tpp, members));
      const { checks } = run.json() as { checks: { check: string; outcome: string }[] };
      const problems = checks.filter(({ outcome }) => outcome === 'problem').map(({ check }) => check);
      expect(run.exitCode).toBe(problems.length === 0 ? 0 : 1);
      return problems;
    };

    const write = async (name: string, content: string): Promise<string> => {
      const file = join(folder, `${randomUUID()}-${name}`);
      await writeFile(file, content);
      return file;
    };

    it.each([[], ['--version', '4.0']])(
      'finds no fault in a TPP of the sandbox, and says how its certificate is read (%s)',
      async (...version) => {
        await cli.done('domestic-payment', 'consent', '--version', '3.1');
        const { out, exitCode } = await cli.run('doctor', ...version);
        expect(out).toMatch(
          /ok +The bank serves domestic payments, and signs its answers\. \[domestic-payment\]\n +v3\.1, consent /,
        );
        expect(out).toContain('Nothing is wrong.');
        expect(exitCode).toBe(0);
        expect(out).toContain(sandbox.description.tpps[0]?.software_id);
      },
    );

    it('a certificate of another authority: its authority, and both listeners that refuse it', async () => {
      const other = await aCertificate({ profile: 'authority', name: 'Some other authority' });
      const wrong = await aWrongCertificate(world, { issuer: other });
      const problems = await problemsOf({
        transport_cert_file: await write('certificate.pem', wrong.certificate),
        transport_key_file: await write('key.pem', wrong.privateKey),
      });
      expect(problems).toEqual(['certificate.authority', 'tls.token_endpoint']);
    });

    it('an expired certificate', async () => {
      const past = { issuer: world.authority, now: new Date(Date.now() - 40 * 86_400_000), days: 30 };
      const wrong = await aWrongCertificate(world, past);
      const problems = await problemsOf({
        transport_cert_file: await write('certificate.pem', wrong.certificate),
        transport_key_file: await write('key.pem', wrong.privateKey),
      });
      expect(problems).toEqual(['certificate.expired', 'tls.token_endpoint']);
    });

    it('a certificate of another TPP', async () => {
      const [, other] = sandbox.description.tpps;
      expect(
        await problemsOf({
          transport_cert_file: resolve(other?.transport_cert_file ?? ''),
          transport_key_file: resolve(other?.transport_key_file ?? ''),
        }),
      ).toEqual(['certificate.names']);
    });

    it('a wrong kid, and a key that is not published', async () => {
      expect(await problemsOf({ signing_kid: 'nobody' })).toContain('keys.kid');
      const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
      const file = await write('signing.pem', key.export({ type: 'pkcs8', format: 'pem' }).toString());
      expect(await problemsOf({ signing_key_file: file, signing_kid: 'new' })).toEqual(['keys.unpublished', 'jws.raw']);
    });

    it('a key set that cannot be fetched', async () => {
      const problems = await problemsOf({ jwks_uri: `${sandbox.description.directory.base_url}/nowhere.jwks` });
      expect(problems).toEqual(['software-statement.jwks', 'keys.reachable']);
    });

    it('an expired software statement, and one that the directory did not sign', async () => {
      const expired = await statementWith(world, { exp: 1_000 });
      expect(await problemsOf({ software_statement_file: await write('statement.jwt', expired) })).toEqual([
        'software-statement.exp',
      ]);
      const own = (await readNamed(sandbox.description.tpps[0]?.software_statement_file)).trim();
      const changed = await write('statement.jwt', `${own.slice(0, -8)}AAAAAAAA`);
      expect(await problemsOf({ software_statement_file: changed })).toEqual(['software-statement.signature']);
    });

    it('a redirect address that is missing in the software statement', async () => {
      expect(await problemsOf({ redirect_uris: ['https://elsewhere.example/cb'] })).toContain(
        'software-statement.redirect_uris',
      );
    });

    it('a clock that is two minutes off', async () => {
      const late = await Cli.create(sandbox.directory);
      late.now = () => new Date(Date.now() - 120_000);
      const { out, exitCode } = await late.run('doctor');
      expect(exitCode).toBe(1);
      expect(out).toMatch(
        /problem {2}Our clock and the bank’s agree\. \[clock\][\s\S]*got {6}ours is 1[12]\d s behind/,
      );
    });

    it('a server that we do not trust', async () => {
      const other = await aCertificate({ profile: 'authority', name: 'Some other authority' });
      const ca = await write('ca.pem', other.certificate);
      const problems = await problemsOf({}, { ca_file: ca });
      expect(problems).toContain('discovery');
    });

    it('a registration that is gone', async () => {
      expect(await problemsOf({}, { client_id: randomUUID() })).toEqual(['registration']);
    });
  });
});
