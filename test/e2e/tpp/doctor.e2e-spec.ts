import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtemp, writeFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listenForRefusals } from '#libs/http-server';
import { createCompactJws, type SigningKey } from '#libs/jws';
import { hashToken } from '#libs/oauth';
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
  says: RegExp | undefined;
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

/** @param rule may have words that the explanation must contain: the expected and the actual value */
function planted(
  fault: string,
  rule: string | readonly [rule: string, says: RegExp],
  plant: PlantedFault['plant'],
): PlantedFault {
  const [name, says] = typeof rule === 'string' ? [rule] : rule;
  return { fault, rule: name, says, plant };
}

type Rule = Parameters<typeof planted>[1];
const jws = (fault: string, rule: Rule, members: Members): PlantedFault =>
  planted(fault, rule, ({ tpp }) => tpp.post(path, consent, { jws: members }));
const token = (fault: string, rule: Rule, request: Parameters<typeof askForToken>[1]): PlantedFault =>
  planted(fault, rule, (world) => askForToken(world, request));
const authorization = (fault: string, rule: Rule, request: Parameters<typeof askForAuthorization>[1]): PlantedFault =>
  planted(fault, rule, (world) => askForAuthorization(world, request));
const registration = (fault: string, rule: Rule, request: Signing): PlantedFault =>
  planted(fault, rule, (world) => register(world, request));

/** Faults of the connection, of the token and of the signature. */
const apiFaults: readonly PlantedFault[] = [
  planted('a certificate of another authority', ['certificate.authority', /Some other authority/], async (world) => {
    const { agent } = await aWrongCertificate(world, {
      issuer: await aCertificate({ profile: 'authority', name: 'Some other authority' }),
    });
    return world.tpp.get(`${path}/x`, { agent });
  }),
  planted('an expired certificate', 'certificate.expired', async (world) => {
    const past = { issuer: world.authority, now: new Date(Date.now() - 40 * day), days: 30 };
    return world.tpp.get(`${path}/x`, { agent: (await aWrongCertificate(world, past)).agent });
  }),
  planted('no certificate', 'certificate.missing', ({ tpp, sandbox }) =>
    tpp.get(`${path}/x`, { agent: sandbox.agent }),
  ),
  planted("another TPP's certificate with the token", 'token.certificate', ({ tpp, other }) =>
    tpp.get(`${path}/x`, { agent: other.agent }),
  ),
  planted('a token of somewhere else', 'token.unknown', ({ tpp }) => tpp.get(`${path}/x`, { accessToken: 'x' })),
  planted('no token', 'token.missing', ({ tpp }) => tpp.get(`${path}/x`, { headers: { authorization: undefined } })),
  planted('an expired token', ['token.expired', /expired at/], async (world) => {
    const { access_token: accessToken } = (await askForToken(world)).json();
    await world.sandbox.database.query(
      "UPDATE access_tokens SET expires_at = now() - interval '1 minute' WHERE token_hash = $1",
      [hashToken(String(accessToken))],
    );
    return world.tpp.get(`${path}/x`, { accessToken: String(accessToken) });
  }),
  jws('a kid that nobody published', ['jws.kid', /unpublished/], { kid: 'unpublished' }),
  jws('a clock ten minutes ahead', ['jws.iat', /s ahead of the bank/], { [iat]: seconds() + 600 }),
  jws('RS256', ['jws.alg', /RS256/], { alg: 'RS256' }),
  jws('iss that is the client id', ['jws.iss', /client-id/], { [iss]: 'client-id' }),
  jws('no crit', 'jws.crit', { crit: undefined }),
  jws('crit without the members that must be understood', 'jws.crit', { crit: ['b64'] }),
  jws('a wrong tan', ['jws.tan', /directory\.example/], { [tan]: 'directory.example' }),
  planted('a key that is not the published one', 'jws.signature', ({ tpp }) => {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return tpp.post(path, consent, {
      headers: { 'x-jws-signature': signDetached(consent, key, aJwsHeader(tpp.credentials)) },
    });
  }),
  planted('a body that was parsed and written again', ['jws.rewritten', /two spaces/], ({ tpp }) => {
    const pretty = JSON.stringify(JSON.parse(consent), undefined, 2);
    return tpp.post(path, JSON.stringify(JSON.parse(consent)), {
      headers: { 'x-jws-signature': tpp.signBody(pretty) },
    });
  }),
  planted('no signature', 'jws.missing', ({ tpp }) =>
    tpp.post(path, consent, { headers: { 'x-jws-signature': undefined } }),
  ),
  planted('a signature that is not detached', 'jws.malformed', ({ tpp }) =>
    tpp.post(path, consent, { headers: { 'x-jws-signature': 'a.b.c' } }),
  ),
];

/** Faults of headers, consents and files. */
const resourceFaults: readonly PlantedFault[] = [
  planted('no idempotency key', 'header.x-idempotency-key', ({ tpp }) =>
    tpp.post(path, consent, { headers: { 'x-idempotency-key': undefined } }),
  ),
  planted(
    'an idempotency key with another body',
    ['idempotency.reused', /^the body of the first request with this key, or a new key \S{36} with another body$/],
    async ({ tpp }) => {
      const headers = { 'x-idempotency-key': randomUUID() };
      await tpp.post(path, consent, { headers });
      return tpp.post(path, aConsentRequest({ initiation: { FileReference: 'ANOTHER' } }), { headers });
    },
  ),
  planted(
    'a file that is not that of the consent',
    ['file.hash', /^bytes with the SHA-256 (\S{44}), as the consent says bytes with the SHA-256 (?!\1)\S{44}$/],
    async ({ tpp }) => {
      const consentId = await tpp.stageConsent(aPaymentFile());
      const file = aPaymentFile();
      return tpp.upload(consentId, { ...file, body: Buffer.concat([file.body, Buffer.from('\n')]) });
    },
  ),
  planted('a file of 151 payments', ['file.items', /an array of 151/], async ({ tpp }) => {
    const file = aPaymentFile({ payments: 151 });
    return tpp.upload(await tpp.stageConsent(file, { NumberOfTransactions: '150', ControlSum: undefined }), file);
  }),
  planted(
    'a file of two payments where the consent says three',
    ['file.count', /^3, as the consent says /],
    async ({ tpp }) => {
      const file = aPaymentFile({ payments: 2 });
      return tpp.upload(await tpp.stageConsent(file, { NumberOfTransactions: '3', ControlSum: undefined }), file);
    },
  ),
  planted(
    'a second file',
    ['consent.status', /^a consent that is AwaitingUpload .*AwaitingAuthorisation/],
    async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.upload(await tpp.stageFile(file), file);
    },
  ),
  planted('a file that nobody has uploaded', 'file.missing', async ({ tpp }) =>
    tpp.get(`${path}/${await tpp.stageConsent()}/file`),
  ),
  planted(
    'a payment with another reference than its consent',
    ['consent.mismatch', /^Data\.Initiation\.FileReference of the consent: .+ ANOTHER$/],
    async ({ tpp }) => {
      const { consentId, initiation } = await tpp.authorise();
      return tpp.pay({ consentId, initiation: { ...initiation, FileReference: 'ANOTHER' } });
    },
  ),
  planted('a FileType of another bank', ['file.type', /UK\.OBIE\.pain\.001/], ({ tpp }) =>
    tpp.post(path, aConsentRequest({ initiation: { FileType: 'UK.OBIE.pain.001.001.08' } })),
  ),
  planted(
    'a payment before the customer has approved',
    ['consent.status', /^a consent that is Authorised .*AwaitingAuthorisation/],
    async ({ tpp }) => {
      const file = aPaymentFile();
      return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) });
    },
  ),
  planted("a token of another consent's approval", 'token.consent', async ({ tpp }) => {
    const accessToken = await tpp.exchangeCode(await tpp.authorise());
    const file = aPaymentFile();
    return tpp.pay({ consentId: await tpp.stageFile(file), initiation: anInitiation(file) }, { accessToken });
  }),
  planted('a consent of another client', 'consent.owner', async ({ tpp, other }) =>
    other.get(`${path}/${await tpp.stageConsent()}`),
  ),
  planted('a consent that does not exist', 'consent.not-found', ({ tpp }) => tpp.get(`${path}/${randomUUID()}`)),
  planted('XML where JSON is due', ['media-type', /text\/xml/], ({ tpp }) =>
    tpp.post(path, consent, { headers: { 'content-type': 'text/xml' } }),
  ),
];

const ask = ({ agent }: TestTpp, url: string): Promise<TestResponse> => httpsRequest({ url, agent });

/** Faults at the token endpoint, the authorization endpoint and in registration. */
const oauthFaults: readonly PlantedFault[] = [
  token('an assertion for another bank', ['client-assertion.aud', /https:\/\/other\.bank\.example/], {
    claims: { aud: 'https://other.bank.example' },
  }),
  planted('an assertion that is used twice', 'client-assertion.jti-reused', async (world) => {
    const claims = { jti: randomUUID() };
    await askForToken(world, { claims });
    return askForToken(world, { claims });
  }),
  planted('a clock two minutes behind', ['client-assertion.exp', /s behind the bank/], (world) =>
    askForToken(world, { claims: { iat: seconds() - 120, exp: seconds() - 60 } }),
  ),
  planted('a clock two minutes ahead', ['client-assertion.iat', /1[12]\d s ahead of the bank/], (world) =>
    askForToken(world, { claims: { iat: seconds() + 120, exp: seconds() + 180 } }),
  ),
  planted(
    'an assertion that is good for two hours',
    ['client-assertion.exp', /at most 3600 seconds \(60 minutes\)/],
    (world) => askForToken(world, { claims: { exp: seconds() + 7_200 } }),
  ),
  planted('Basic by a client of another method', ['client.method', /private_key_jwt[^]*client_secret_basic/], (world) =>
    askByBasic(world),
  ),
  token('two ways of authenticating at once', 'client.credentials', { form: { client_secret: 'x' } }),
  token('a refresh token that nobody issued, by a client without the grant', 'grant.type', {
    form: { grant_type: 'refresh_token', refresh_token: 'x' },
  }),
  planted('an unknown address', ['path.unknown', /\/oauth2\/tokens/], ({ sandbox, tpp }) =>
    ask(tpp, `${sandbox.description.token_endpoint}s?x=secret`),
  ),
  planted('an unknown address of the authorization endpoint', 'path.unknown', ({ sandbox, tpp }) =>
    ask(tpp, `${sandbox.description.authorization_endpoint}s`),
  ),
  planted('GET at the token endpoint', ['path.method', /POST[^]*GET \/oauth2\/token$/], ({ sandbox, tpp }) =>
    ask(tpp, sandbox.description.token_endpoint),
  ),
  token('an assertion signed with RS256', ['client-assertion.alg', /RS256/], { header: { alg: 'RS256' } }),
  token('an assertion with a wrong kid', ['client-assertion.kid', /nobody/], { header: { kid: 'nobody' } }),
  token('an assertion signed with a key that is not published', 'client-assertion.signature', {
    key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  }),
  planted('a scope that is not registered', ['scope', /fundsconfirmations/], async (world) => {
    const registered = await register(world, { claims: { scope: 'openid payments' } });
    const id = String(registered.json()['client_id']);
    const form = { client_id: id, scope: 'fundsconfirmations' };
    return askForToken(world, { claims: { iss: id, sub: id }, form });
  }),
  planted('a client that does not exist', 'client.unknown', (world) => {
    const id = randomUUID();
    return askForToken(world, { claims: { iss: id, sub: id }, form: { client_id: id } });
  }),
  planted("another TPP's certificate at the token endpoint", 'certificate.owner', (world) =>
    askForToken(world, { agent: world.other.agent }),
  ),
  planted('a code that nobody issued', 'grant.code', (world) =>
    askForToken(world, {
      form: {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: world.tpp.credentials.redirectUris[0] ?? '',
      },
    }),
  ),
  planted(
    'a request object that is good for two hours',
    ['request-object.exp', /at most 3600 seconds \(60 minutes\)/],
    (world) => askForAuthorization(world, { claims: { exp: seconds() + 7_200 } }),
  ),
  authorization('a response_mode that is not offered', ['authorization.response_mode', /fragment[^]*form_post/], {
    claims: { response_mode: 'form_post' },
  }),
  authorization('a response_type that is not registered', ['authorization.response_type', /code id_token[^]*token/], {
    claims: { response_type: 'token' },
    query: { response_type: 'token' },
  }),
  planted(
    'an essential acr that this bank does not reach',
    ['authorization.acr', /urn:openbanking:psd2:sca[^]*urn:example:gold/],
    (world) => {
      const intent = { value: randomUUID(), essential: true };
      const acr = { value: 'urn:example:gold', essential: true };
      return askForAuthorization(world, { claims: { claims: { id_token: { openbanking_intent_id: intent, acr } } } });
    },
  ),
  planted('a consent that is nobody’s', 'request-object.intent', (world) => askForAuthorization(world)),
  planted('a request without a request object', 'request.signed', ({ sandbox, tpp }) => {
    const url = new URL(sandbox.description.authorization_endpoint);
    url.searchParams.set('client_id', tpp.clientId);
    return ask(tpp, url.href);
  }),
  planted('a pushed request object for another bank', 'request-object.aud', (world) =>
    push(world, { aud: 'https://other.bank.example' }),
  ),
  authorization('a request object for another bank', 'request-object.aud', {
    claims: { aud: 'https://other.bank.example' },
  }),
  authorization('a request object of another client', 'request-object.client_id', {
    claims: { client_id: randomUUID() },
  }),
  authorization('a request object without nonce', 'request-object.nonce', { claims: { nonce: undefined } }),
  planted('an expired request object', 'request-object.exp', (world) =>
    askForAuthorization(world, { claims: { nbf: seconds() - 600, exp: seconds() - 300 } }),
  ),
  authorization('a redirect address that is not registered', ['authorization.redirect_uri', /elsewhere\.example/], {
    claims: { redirect_uri: 'https://elsewhere.example/cb' },
  }),
  authorization(
    'a redirect address that is not registered, in a request sent as a form',
    ['authorization.redirect_uri', /elsewhere\.example/],
    { claims: { redirect_uri: 'https://elsewhere.example/cb' }, isForm: true },
  ),
  authorization('a request object signed with RS256', 'request-object.alg', { header: { alg: 'RS256' } }),
  planted('an expired software statement', 'software-statement.exp', async (world) =>
    register(world, { claims: { software_statement: await statementWith(world, { exp: seconds() - 60 }) } }),
  ),
  registration(
    'a redirect address that is missing in the software statement',
    ['registration.redirect_uris', /elsewhere\.example/],
    { claims: { redirect_uris: ['https://elsewhere.example/cb'] } },
  ),
  registration('a registration signed with RS256', 'registration.alg', { header: { alg: 'RS256' } }),
  registration('a registration for another bank', 'registration.aud', {
    claims: { aud: 'https://other.bank.example' },
  }),
  registration('a registration signed with a key that is not published', 'registration.kid', {
    header: { kid: 'nobody' },
  }),
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
