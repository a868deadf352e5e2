import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { signJwt } from '../../support/apps/tpp.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aTpp, type TestTpp } from '../../support/a-tpp.js';
import { verifyDetached } from '../../support/detached-jws.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { startTestSandbox, type TestSandbox } from '../../support/start-test-sandbox.js';

type Claims = Record<string, unknown>;
const pages = {
  registration: 'docs/reference/registration.md',
  sandbox: 'docs/reference/sandbox.md',
  signing: 'docs/explanation/signing.md',
  consent: 'docs/explanation/consent.md',
  webApp: 'docs/how-to/send-customers-to-the-bank.md',
  languages: 'docs/how-to/call-the-bank-from-your-language.md',
} as const;

/** What somebody who writes a TPP from the pages alone asks, and where the answer stands. */
const answers: readonly (readonly [question: string, page: keyof typeof pages, answer: RegExp])[] = [
  ['Which ID token has c_hash?', 'webApp', /`c_hash` +\| yes +\| no/],
  ['Which ID token has s_hash?', 'webApp', /`s_hash` +\| if you sent `state` +\| no/],
  ['Which ID token has at_hash?', 'webApp', /`at_hash` +\| no +\| yes/],
  [
    'How long are ID tokens valid?',
    'webApp',
    /first is valid for five minutes, the second for as long as its access token/,
  ],
  ['How do I check an ID token?', 'webApp', /## Check it/],
  ['What is the bank’s organisation id?', 'sandbox', /`organisation_id`: the bank's id at the directory/],
  [
    'Who signs the answers?',
    'signing',
    /`iss` is only the bank's organisation id: `organisation_id` in `sandbox.json`/,
  ],
  ['What is in the header of x-jws-signature?', 'signing', /The decoded header of a request:/],
  ['To which folder are the paths in sandbox.json relative?', 'sandbox', /relative to the root of the clone/],
  ['How do I use client_secret_basic?', 'registration', /`client_secret_basic` +\| .*Authorization: Basic/],
  ['How do I use client_secret_post?', 'registration', /`client_secret_post` +\| the same two as form fields/],
  ['What is the key of HS256?', 'registration', /the bytes of `client_secret` as received, not decoded/],
  ['When does PUT make a new secret?', 'registration', /PUT keeps the secret, with two exceptions/],
  ['Which claims does a registration have?', 'registration', /## A full set of claims/],
  ['Which token reads a registration?', 'registration', /access token of the client itself \(`client_credentials`\)/],
  ['What does a second POST do?', 'registration', /A second POST creates a second client/],
  ['What are the limits of an assertion?', 'registration', /## Client assertions/],
  ['How long is a token valid in the sandbox?', 'registration', /`expires_in` is the lifetime of a token: 300 seconds/],
  ['How does the answer get to my web app?', 'webApp', /`response_mode=jwt`/],
  ['Which flags does Bruno need?', 'languages', /bru run --env sandbox --sandbox developer --cacert/],
  ['Does FileHash end with =?', 'consent', /with or without the trailing `=`/],
  [
    'Which aud does registration take?',
    'registration',
    /its issuer, the registration endpoint or the token endpoint; a string or an array/,
  ],
  ['May iat have a fraction?', 'registration', /Fractions are refused/],
  ['Why are iat and exp text in the answer?', 'registration', /repeats `iat` and `exp` \*\*as strings\*\*/],
  ['What becomes of eventpolling?', 'registration', /`eventpolling` \(`drop-unknown-scopes`\)/],
  ['Is there a sample in my language?', 'languages', /Python[^]*Java[^]*Go/],
];

let texts: Readonly<Record<keyof typeof pages, string>>;
let sandbox: TestSandbox;
let tpp: TestTpp;

beforeAll(async () => {
  const entries = Object.entries(pages).map(async ([name, path]) => [name, await readFile(path, 'utf8')]);
  texts = Object.fromEntries(await Promise.all(entries)) as typeof texts;
  sandbox = await startTestSandbox({ environment: { ACCESS_TOKEN_SECONDS: undefined } });
  tpp = await aTpp(sandbox);
});

afterAll(async () => {
  tpp?.close();
  await sandbox?.stop();
});

const jsonOf = (page: keyof typeof pages): Claims =>
  JSON.parse(/^```json\n([^]*?)^```$/m.exec(texts[page])?.[1] ?? '') as Claims;

/** The claims of the page, of this TPP and of now. */
function claimsOfPage(): Claims {
  const { softwareId, softwareStatement, redirectUris } = tpp.credentials;
  const now = Math.floor(Date.now() / 1_000);
  const { jti: _jti, ...claims } = jsonOf('registration');
  return {
    ...claims,
    iss: softwareId,
    software_id: softwareId,
    aud: sandbox.description.issuer,
    redirect_uris: redirectUris,
    software_statement: softwareStatement,
    iat: now,
    exp: now + 300,
  };
}

async function register(): Promise<TestResponse> {
  return httpsRequest({
    url: sandbox.description.registration_endpoint,
    method: 'POST',
    headers: { 'content-type': 'application/jose', accept: 'application/json' },
    body: await signJwt({ claims: claimsOfPage(), credentials: tpp.credentials, expiresInSeconds: 300 }),
    agent: tpp.agent,
  });
}

describe('a question that a TPP asks', () => {
  it.each(answers)('is answered by a page: %s', (_question, page, answer) => {
    expect(texts[page].replaceAll(/\n\s*/g, ' ')).toMatch(answer);
  });

  it('is answered by the API documents: code_challenge and the rest of a request object, the bank’s organisation id', async () => {
    const [authorisation, discovery] = await Promise.all(
      ['authorisation', 'discovery-and-registration'].map((name) =>
        readFile(`apps/openapi/documents/${name}.json`, 'utf8'),
      ),
    );
    const { components } = JSON.parse(authorisation ?? '') as {
      components: { schemas: Record<string, { properties: object }> };
    };
    const names = Object.keys(components.schemas['RequestObjectClaims']?.properties ?? {});
    const needed = ['code_challenge', 'code_challenge_method', 'nonce', 'state', 'max_age', 'claims', 'nbf', 'exp'];
    expect(names).toEqual(expect.arrayContaining(needed));
    expect(discovery).toContain('organisation id: that is `iss` in the header of every signed answer');
  });
});

describe('what the pages say of registration', () => {
  it('the full set of claims registers a client, a second one makes another, and the answer has iat and exp as text', async () => {
    const [first, second] = [await register(), await register()];
    expect([first.status, second.status, first.text]).toEqual([201, 201, expect.any(String)]);
    expect(first.json()['client_id']).not.toBe(second.json()['client_id']);
    expect(first.json()).toMatchObject({ iat: expect.any(String), exp: expect.any(String) });
  });
});

const leftHalf = (text: unknown): string =>
  createHash('sha256').update(String(text)).digest().subarray(0, 16).toString('base64url');

describe('what the pages say of signatures, files and tokens', () => {
  it('the decoded header of the page has the members that the bank requires, and the bank’s own has its organisation id', async () => {
    const header = jsonOf('signing');
    const { orgId, softwareId, signingKid } = tpp.credentials;
    const own = {
      ...header,
      kid: signingKid,
      'http://openbanking.org.uk/iat': Math.floor(Date.now() / 1_000),
      'http://openbanking.org.uk/iss': `${orgId}/${softwareId}`,
    };
    const answer = await tpp.post('/file-payment-consents', aConsentRequest(), { jws: own });
    expect(answer.status).toBe(201);
    const signed = verifyDetached(String(answer.headers['x-jws-signature']), answer.body, tpp.bankKeys);
    expect(signed['http://openbanking.org.uk/iss']).toBe(sandbox.description.organisation_id);
  });

  it('the two ID tokens of an approval have the hashes and lifetimes of the table', async () => {
    const authorised = await tpp.authorise();
    const { code = '', id_token: first = '' } = Object.fromEntries(
      new URLSearchParams(new URL(authorised.location).hash.slice(1)),
    );
    const { clientId, credentials } = tpp;
    const claims = { iss: clientId, sub: clientId, aud: sandbox.description.issuer };
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: authorised.request.redirectUri,
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signJwt({ claims, credentials, expiresInSeconds: 60 }),
    };
    const answer = await httpsRequest({
      url: sandbox.description.token_endpoint,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      agent: tpp.agent,
    });
    const { access_token: token, id_token: second, expires_in: lifetime } = answer.json() as Record<string, unknown>;
    const [fromPages, fromToken] = [decodeJwt(first), decodeJwt(String(second))];
    expect(fromPages['c_hash']).toBe(leftHalf(code));
    expect(fromToken['at_hash']).toBe(leftHalf(token));
    expect(Number(fromPages.exp) - Number(fromPages.iat)).toBe(300);
    expect([lifetime, Number(fromToken.exp) - Number(fromToken.iat)]).toEqual([300, 300]);
    expect(fromPages.sub).toBe(fromToken.sub);
    const rows = [...texts.webApp.matchAll(/^\| (`.+`) +\| (yes|no|if you sent `state`) +\| (yes|no) +\|/gm)];
    const named = rows.flatMap(([, names = '', inFirst, inSecond]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, inFirst !== 'no', inSecond !== 'no'] as const),
    );
    expect(named.map(([name]) => [name, name in fromPages, name in fromToken])).toEqual(named);
    const beyond = [...Object.keys(fromPages), ...Object.keys(fromToken)].filter(
      (name) => !named.some(([known]) => known === name),
    );
    expect(beyond).toEqual([]);
  });
});
