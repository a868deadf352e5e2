import { createPrivateKey, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectEventually } from '../../support/expectations.js';
import { aConsentRequest } from '../../support/a-consent-request.js';
import { aPaymentFile } from '../../support/a-payment-file.js';
import { aJwsHeader, signDetached } from '../../support/detached-jws.js';
import type { TestResponse } from '../../support/https-request.js';
import { credentialsOf } from '../../support/a-tpp.js';
import { RevokedCertificates } from '../../../apps/sandbox/src/trust/revoked-certificates.js';
import { basicOf, type Registered, type TransportCertificate } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

const methods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'tls_client_auth',
];
const secretMethods = ['client_secret_basic', 'client_secret_post'];
const clientCredentials = { grant_type: 'client_credentials', scope: 'payments' };

/** A token request by a method, at the address of an instance. */
const requestToken = async (method: string, client: Registered, url?: string): Promise<TestResponse> => {
  const world = getWorld();
  const { form, authorization } = await world.authentication(method, client);
  return world.call(url ?? world.sandbox.description.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
    body: new URLSearchParams({ ...form, ...clientCredentials }).toString(),
  });
};

/** POST /file-payment-consents with a token. */
const stageConsent = async (accessToken: string): Promise<TestResponse> => {
  const { sandbox, call } = { sandbox: getWorld().sandbox, call: getWorld().call.bind(getWorld()) };
  const credentials = await credentialsOf(sandbox.description.tpps[0]);
  const body = aConsentRequest({ file: aPaymentFile(), initiation: {} });
  return call(`${sandbox.description.base_url}/open-banking/v3.1/pisp/file-payment-consents`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      'x-jws-signature': signDetached(body, credentials.signingKey, aJwsHeader(credentials)),
    },
  });
};

/** The life of a client from its registration to its deletion, by each method, on every instance. */
describe('the life of a client', () => {
  it.each(methods)('%s: token, consent, another method by PUT, DELETE; at once on every instance', async (method) => {
    const world = getWorld();
    const otherToken = await world.anotherTokenInstance(() => ({}));
    const otherApi = await world.anotherInstance(() => ({}));
    const client = await world.register({
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: 'PS256',
    });
    const first = await requestToken(method, client);
    expect(first.status).toBe(200);
    const accessToken = String(first.json()['access_token']);
    const staged = await stageConsent(accessToken);
    expect([staged.status, staged.text]).toEqual([201, expect.any(String)]);

    const next = methods[(methods.indexOf(method) + 2) % methods.length] ?? '';
    const replaced = await world.put(client, {
      token_endpoint_auth_method: next,
      token_endpoint_auth_signing_alg: 'PS256',
    });
    expect(replaced.status).toBe(200);
    const changed = { ...client, ...replaced.json() } as Registered;
    for (const url of [undefined, otherToken]) {
      for (const tried of methods) {
        const isFitting = tried === next || (secretMethods.includes(tried) && secretMethods.includes(next));
        expect([tried, (await requestToken(tried, changed, url)).status]).toEqual([tried, isFitting ? 200 : 401]);
      }
    }
    const authorization = `Bearer ${accessToken}`;
    expect((await world.manage(client, authorization, { method: 'DELETE' })).status).toBe(204);
    for (const url of [undefined, otherToken]) expect((await requestToken(next, changed, url)).status).toBe(401);
    expect((await world.call(`${otherApi}/${client.client_id}`, { headers: { authorization } })).status).toBe(401);
    expect((await stageConsent(accessToken)).status).toBe(401);
  });
});

it('each request on a registration is in the audit trail under its interaction id', async () => {
  const world = getWorld();
  const created = await world.tryRegister();
  const client = created.json() as Registered;
  const replaced = await world.put(client, {
    redirect_uris: world.tpp.redirectUris.slice(0, 1),
    scope: 'openid payments',
  });
  const authorization = `Bearer ${await world.aToken(client)}`;
  const deleted = await world.manage(client, authorization, { method: 'DELETE' });
  const actionsOf = async ({ headers }: TestResponse): Promise<string[]> => {
    const { rows } = await world.sandbox.database.query<{ action: string }>(
      'SELECT action FROM audit_events WHERE interaction_id = $1 AND client_id = $2 ORDER BY action',
      [headers['x-fapi-interaction-id'], client.client_id],
    );
    return rows.map(({ action }) => action);
  };
  expect(await actionsOf(created)).toEqual(['registration.create']);
  expect(await actionsOf(replaced)).toEqual(['registration.change']);
  expect(await actionsOf(deleted)).toEqual(['registration.status', 'token.revoke']);
});

describe('who may manage a registration', () => {
  it('nobody with a certificate that is expired, revoked, self-signed, wrongly issued or of others, whether the id exists or not', async () => {
    const world = getWorld();
    const client = await world.register();
    const token = await world.aToken(client);
    const subject = world.obwacSubject();
    const { base_url } = world.sandbox.description.directory;
    const revocation = { list: `${base_url}/certificate-authority.crl`, responder: `${base_url}/ocsp` };
    const authority = await world.aCertificate({ subject: [{ CN: ['Other CA'] }], profile: 'authority' });
    const issuer = { certificate: authority.cert, privateKey: createPrivateKey(authority.key) };
    const own = await world.aCertificate({ subject });
    const selfIssuer = { certificate: own.cert, privateKey: createPrivateKey(own.key) };
    const revoked = await world.aCertificate({ subject, revocation });
    await new RevokedCertificates(world.sandbox.directory).revoke(revoked.cert, new Date());
    world.clock.advance(601);
    const statusOfRevoked = async (): Promise<number> =>
      (await world.manage(client, `Bearer ${token}`, { certificate: revoked })).status;
    await expectEventually(statusOfRevoked, 401);
    const certificates: Record<string, TransportCertificate | null> = {
      expired: await world.aCertificate({ subject, now: new Date(Date.now() - 90 * 86_400_000), days: 30 }),
      revoked,
      'self-signed': await world.aCertificate({ subject, issuer: selfIssuer }),
      'of another authority': await world.aCertificate({ subject, issuer }),
      'for signing': await world.aCertificate({ subject, profile: 'signing' }),
      'of another organisation': world.otherTpp.certificate,
      'of another software': await world.aCertificate({ subject: world.legacySubject(undefined, 'AnotherSoftware') }),
      none: null,
    };
    const body = await world.aRequest();
    for (const [what, certificate] of Object.entries(certificates)) {
      for (const client_id of [client.client_id, randomUUID()]) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          for (const authorization of [`Bearer ${token}`, `Basic ${basicOf(client)}`]) {
            const headers = method === 'PUT' ? { 'content-type': 'application/jose' } : {};
            const request = { method, headers, certificate, ...(method === 'PUT' ? { body } : {}) };
            const outcome = await world.manage({ client_id }, authorization, request).then(
              (answer) => [answer.status, answer.text],
              () => [401, ''], // a refused handshake is as good as a refused request
            );
            expect([what, method, ...outcome]).toEqual([what, method, 401, '']);
          }
        }
      }
    }
    expect((await world.manage(client, `Bearer ${token}`)).status).toBe(200);
  });

  it("nobody with another client's credentials: 403 for a client that exists, and nothing is changed", async () => {
    const world = getWorld();
    const client = await world.register();
    const other = await world.register();
    const { text } = await world.manage(client, `Basic ${basicOf(client)}`);
    for (const authorization of [`Bearer ${await world.aToken(other)}`, `Basic ${basicOf(other)}`]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const put = { body: await world.aRequest(), headers: { 'content-type': 'application/jose' } };
        const answer = await world.manage(client, authorization, { method, ...(method === 'PUT' ? put : {}) });
        expect([method, answer.status]).toEqual([method, 403]);
        expect(answer.text).not.toContain(world.tpp.softwareId);
      }
    }
    expect((await world.manage(client, `Basic ${basicOf(client)}`)).text).toBe(text);
  });
});
