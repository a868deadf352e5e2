import { afterAll, beforeAll } from '@jest/globals';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Agent } from 'node:https';
import { join } from 'node:path';
import { issueCertificate, type Issuer } from '../../../apps/sandbox/src/trust/issue-certificate.js';
import { httpsAgent, httpsRequest, type TestResponse } from '../../support/https-request.js';
import type { FapiClient } from '../authorization/fapi-client.js';
import { FapiWorld, intentOf } from '../authorization/fapi-world.js';

export const resourceServer = 'CN=accounts.bank.example,O=Sandbox Bank,C=GB';
export const resourceServerSubject: Record<string, string[]>[] = [
  { C: ['GB'] },
  { O: ['Sandbox Bank'] },
  { CN: ['accounts.bank.example'] },
];
export const world = new FapiWorld();
export let metadata: Record<string, unknown>;
export let bankAgent: Agent;
/** the bank's own authority, and that of TPPs */
export let bankAuthority: Issuer;
export let tppAuthority: Issuer;

/** Starts a sandbox with a resource server of the bank before the tests of a spec. */
export function useTokenSiblings(): void {
  beforeAll(async () => {
    bankAuthority = await anAuthority();
    await world.start({
      INTROSPECTION_CLIENT_SUBJECTS: `CN=other,C=GB | ${resourceServer}`,
      INTROSPECTION_TRUST_ANCHORS: bankAuthority.certificate,
    });
    const authorityKey = await readFile(join(world.sandbox.directory, 'ca', 'private-key.pem'), 'utf8');
    tppAuthority = { certificate: world.sandbox.ca, privateKey: createPrivateKey(authorityKey) };
    const { agent, description } = world.sandbox;
    metadata = (await httpsRequest({ url: description.discovery_uri, agent })).json();
    bankAgent = await anAgent(resourceServerSubject);
  });
  afterAll(async () => {
    bankAgent?.destroy();
    await world.stop();
  });
}

export async function anAuthority(): Promise<Issuer> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const subject: Record<string, string[]>[] = [{ C: ['GB'] }, { CN: ['Test authority of the bank'] }];
  const certificate = await issueCertificate({
    profile: 'authority',
    subject,
    key: privateKey,
    days: 1,
    now: new Date(),
  });
  return { certificate, privateKey };
}

export async function anAgent(subject: Record<string, string[]>[], issuer = bankAuthority): Promise<Agent> {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = await issueCertificate({ profile: 'transport', subject, key, issuer, days: 1, now: new Date() });
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return httpsAgent({ ca: world.sandbox.ca, certificate, privateKey });
}

export async function aToken(client: FapiClient): Promise<string> {
  const response = await client.token({ grant_type: 'client_credentials', scope: 'payments' });
  return String(response.json()['access_token']);
}

/** The token of a customer's authorisation, with what it was for. */
export async function aCustomerToken(client: FapiClient): Promise<{ token: string; consentId: string; sub: string }> {
  const { code, claims, outcome } = await world.authorise(client);
  const [, payload = ''] = (outcome.fragment.get('id_token') ?? '').split('.');
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
  const response = await client.token(client.exchange(code));
  return { token: String(response.json()['access_token']), consentId: intentOf(claims), sub };
}

export const introspect = (
  token: string | undefined,
  agent = bankAgent,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> =>
  httpsRequest({
    url: String(metadata['introspection_endpoint']),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(token === undefined ? {} : { token }).toString(),
    agent,
  });

/** None of these can have been issued here. */
export const strangeTokens = [
  ['a long token', 'x'.repeat(20_000)],
  ['a token of other letters', 'é\u2603'],
  ['a token of control characters', '\u0000\r\n'],
] as const;
