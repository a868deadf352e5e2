import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID, X509Certificate } from 'node:crypto';
import type { Agent } from 'node:https';
import { expectOAuthError } from '../../support/expectations.js';
import { httpsAgent, type TestResponse } from '../../support/https-request.js';
import {
  type AuthenticationMethod,
  type Difference,
  type FapiClient,
  type SigningDifference,
} from '../../support/a-client.js';
import { FapiWorld, type ClientPair } from '../authorization/fapi-world.js';

const world = new FapiWorld();
const agents: Agent[] = [];
beforeAll(() => world.start());
afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await world.stop();
});

const grant = { grant_type: 'client_credentials', scope: 'payments' };

/** The shape of every error; 401 only with invalid_client. */
function expectRefusal(response: TestResponse, ...errors: string[]): void {
  const { error } = response.json();
  expect(errors).toContain(error);
  expectOAuthError(response, error === 'invalid_client' ? 401 : 400, String(error));
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.json()['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}

describe.each(['rsa', 'ec'] as const)('assertions of private_key_jwt with an %s key', (keyType) => {
  let pair: ClientPair;
  let client: FapiClient;
  beforeAll(async () => {
    pair = await world.pair('private_key_jwt', keyType);
    client = pair.first;
  });

  const send = (difference: Difference, signing: SigningDifference = {}, form: Difference = grant) =>
    client.token(form, { authentication: { form: client.assertion(difference, signing) } });

  it('signed with the own key: a token; under kid and key of another client: invalid_client', async () => {
    expect((await send({})).status).toBe(200);
    const { signingKid: kid, signingKey: key } = pair.second.credentials;
    expectRefusal(await send({}, { header: { kid }, key }), 'invalid_client');
  });

  it('37 client_id alone: invalid_client', async () => {
    const authentication = { form: { client_id: client.clientId } };
    expectRefusal(await client.token(grant, { authentication }), 'invalid_client', 'invalid_request');
  });

  it('32 a code with the identity of client 2 signed by client 1: refused, and the code stays good', async () => {
    const { code } = await world.authorise(client);
    const form = {
      ...pair.second.assertion(
        {},
        { key: client.credentials.signingKey, header: { kid: client.credentials.signingKid } },
      ),
      client_id: pair.second.clientId,
    };
    expectRefusal(
      await client.token(client.exchange(code), { authentication: { form } }),
      'invalid_client',
      'invalid_grant',
    );
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });
});

describe('tls_client_auth', () => {
  let pair: ClientPair;
  beforeAll(async () => {
    pair = await world.pair('tls_client_auth', 'rsa');
  });

  it('32 client 2 over the certificate of client 1: refused', async () => {
    const { code } = await world.authorise(pair.first);
    const options = { authentication: { form: { client_id: pair.second.clientId } } };
    expectRefusal(await pair.first.token(pair.first.exchange(code), options), 'invalid_client', 'invalid_grant');
    expectRefusal(await pair.first.token(grant, options), 'invalid_client');
  });

  it('without client_id: invalid_client', async () => {
    expectRefusal(await pair.first.token(grant, { authentication: {} }), 'invalid_client', 'invalid_request');
  });

  it('a certificate in a header is nobody’s where no ingress is configured (CVE-2024-10039)', async () => {
    const pem = pair.second.credentials.transportCertificate;
    const der = new X509Certificate(pem).raw.toString('base64');
    const headers = {
      'client-cert': `:${der}:`,
      'ssl-client-cert': encodeURIComponent(pem),
      'x-forwarded-client-cert': `Cert="${encodeURIComponent(pem)}"`,
    };
    const authentication = { form: { client_id: pair.second.clientId } };
    expectRefusal(await pair.first.token(grant, { authentication, headers }), 'invalid_client');
  });
});

describe('33 a right code exchange over a connection without certificate', () => {
  it.each(['private_key_jwt', 'tls_client_auth'] as const)('%s: refused', async (method) => {
    const client = await world.client({ method, name: 'Bare' });
    const { code } = await world.authorise(client);
    const agent = httpsAgent({ ca: world.sandbox.ca });
    agents.push(agent);
    const outcome = await client.token(client.exchange(code), { agent }).catch(() => undefined);
    if (outcome !== undefined) expectRefusal(outcome, 'invalid_client', 'invalid_request');
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });
});

const methods: readonly AuthenticationMethod[] = [
  'private_key_jwt',
  'tls_client_auth',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
];

describe('a client of each method', () => {
  const clients = new Map<string, FapiClient>();
  beforeAll(async () => {
    for (const method of methods) clients.set(method, await world.client({ method, name: 'Methods' }));
  });

  it.each(methods)('%s gets a code exchanged over the right certificate only', async (method) => {
    const client = clients.get(method) as FapiClient;
    const { code } = await world.authorise(client);
    const foreign = await world.client({ method: 'tls_client_auth', name: 'Foreign' });
    const stolen = await client.token(client.exchange(code), { agent: foreign.agent });
    expectRefusal(stolen, 'invalid_client');
    expect((await client.token(client.exchange(code))).status).toBe(200);
  });

  it('two Authorization headers: refused, even if both are right', async () => {
    const client = clients.get('client_secret_basic') as FapiClient;
    const pair = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const headers = { authorization: [`Basic ${pair}`, `Basic ${pair}`] };
    expectRefusal(await client.token(grant, { authentication: {}, headers }), 'invalid_client', 'invalid_request');
  });

  it('unknown client and wrong secret get the same answer', async () => {
    const client = clients.get('client_secret_post') as FapiClient;
    const attempt = (client_id: string) =>
      client.token(grant, { authentication: { form: { client_id, client_secret: randomUUID() } } });
    const [wrong, unknown] = [await attempt(client.clientId), await attempt(randomUUID())];
    expectRefusal(wrong, 'invalid_client');
    // Every 401 has a challenge (RFC 9110 s15.5.2), whichever way the client came.
    expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm="/);
    expect(unknown.text).toBe(wrong.text);
    expect(unknown.status).toBe(wrong.status);
  });

  it('no scope: all that is registered, without openid; consented_on is now', async () => {
    const client = clients.get('tls_client_auth') as FapiClient;
    const begun = Math.floor(Date.now() / 1_000) * 1_000;
    const body = (await client.token({ grant_type: 'client_credentials' })).json();
    expect(body['scope']).toBe('accounts payments fundsconfirmations');
    const consentedOn = Date.parse(String(body['consented_on']));
    expect(consentedOn).toBeGreaterThanOrEqual(begun);
    expect(consentedOn).toBeLessThanOrEqual(Date.now());
    expect(body).not.toHaveProperty('id_token');
  });
});
