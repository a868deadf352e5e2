import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectBodiless } from '../../support/expectations.js';
import { basicOf, expectRefusal } from './registration-values.js';
import { useRegistrationWorld } from './use-registration-world.js';

const getWorld = useRegistrationWorld();

/** What the numbered statements leave out: races, repeats, hostile bodies, other forms of the same request. */
describe('discovery under its other addresses', () => {
  it('serves the same bytes everywhere, to every origin', async () => {
    const world = getWorld();
    const paths = [
      '/open-banking/v3.0/.well-known/openid-configuration',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/open-banking/v3.0',
      '/.well-known/oauth-authorization-server/open-banking/v3.0',
    ];
    const answers = await Promise.all(
      paths.map((path) => world.call(`${world.sandbox.config.baseUrl}${path}`, { certificate: null })),
    );
    for (const answer of answers) {
      expect(answer.text).toBe(answers[0]?.text);
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=300',
        'access-control-allow-origin': '*',
        etag: answers[0]?.headers['etag'],
      });
    }
  });

  it('answers 304 to its own tag and HEAD without a body', async () => {
    const world = getWorld();
    const url = world.sandbox.description.discovery_uri;
    const { headers } = await world.call(url);
    const known = await world.call(url, { headers: { 'if-none-match': `W/${String(headers['etag'])}` } });
    expect([known.status, known.text]).toEqual([304, '']);
    const head = await world.call(url, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('POST /register under pressure', () => {
  it('accepts one request once, also of twenty at the same time', async () => {
    const world = getWorld();
    const request = await world.aRequest();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(request)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(answer, 'invalid_client_metadata', 'UK.OBIE.Field.Invalid', 'jti');
    }
  });

  it('does not burn the jti of a request that it refuses', async () => {
    const world = getWorld();
    const jti = randomUUID();
    expectRefusal(await world.tryRegister({ jti, scope: 'nothing' }), 'invalid_client_metadata', undefined, 'scope');
    await world.register({ jti });
  });

  it('reports all faults of a request at once', async () => {
    const answer = await getWorld().tryRegister({ aud: 'x', scope: 'x', jti: undefined, grant_types: [] });
    const paths = (answer.json()['Errors'] as { Path: string }[]).map(({ Path }) => Path);
    expect(paths.sort()).toEqual(['aud', 'grant_types', 'jti', 'scope']);
  });

  it('answers 503 when the key set of the software is not there, and says that it may pass', async () => {
    const world = getWorld();
    const missing = `${world.sandbox.description.directory.base_url}/nobody/nothing.jwks`;
    const answer = await world.tryRegister({}, await world.withKeys(missing));
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    expect(answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('answers 415 to a body with a content coding', async () => {
    const world = getWorld();
    expectBodiless(await world.post(await world.aRequest(), { headers: { 'content-encoding': 'gzip' } }), 415);
  });

  it('answers 400 to bodies of every kind, never 5xx', async () => {
    const world = getWorld();
    const request = await world.aRequest();
    const bodies = [
      'a',
      'a.b',
      '{}',
      'e30.e30.',
      '\u0000',
      request.slice(0, -5),
      `${request}.x`,
      'A'.repeat(3_000_000),
    ];
    for (const body of [...bodies, Buffer.from([0xff, 0xfe, 0x2e, 0x2e])]) {
      expect((await world.post(body)).status).toBe(400);
    }
  });

  it.each([
    ['a NUL', '\u0000'],
    ['half a surrogate pair', '\ud800'],
    ['an object', { a: '\u0000' }],
    ['an array of null', [null]],
    ['a huge number', 1e300],
    ['a digit of another plane', '𝟙'],
    ['a member toString', { toString: 1 }],
  ])('never answers 5xx to a claim that is %s', async (_what, value) => {
    const world = getWorld();
    const names = Object.keys(world.aPayload({ tls_client_auth_subject_dn: 0, client_id: 0, nbf: 0, software_id: 0 }));
    for (const name of names) {
      const answer = await world.tryRegister({ token_endpoint_auth_method: 'tls_client_auth', [name]: value });
      expect([name, answer.status < 500]).toEqual([name, true]);
    }
  });

  it.each([
    ['control characters in the name', { software_client_name: 'TPP\u0000\u0007' }, 'must not contain U+0000: '],
    [
      'a name that reads from right to left',
      { software_client_name: 'TPP \u202egnp.exe' },
      'must not contain U+202E: ',
    ],
    ['a name of private characters', { software_client_name: '\ue000\ue001 Bank' }, 'must not contain U+E000: '],
    ['a name of unassigned ones', { software_client_name: 'Bank \u{50000}' }, 'must not contain U+50000: '],
    ['a role with a tab', { software_roles: ['PISP\t'] }, 'must not contain U+0009: '],
    ['an organisation with a line feed', { org_id: 'ORG\n1' }, 'must not contain U+000A: '],
    [
      'an agent’s principal that would turn the page',
      { software_on_behalf_of_org: 'Shop \u202etl' },
      'must not contain U+202E: ',
    ],
    ['a name of a megabyte', { software_client_name: 'x'.repeat(20_000) }, 'is not valid.'],
  ])('refuses a software statement with %s, and names the fault', async (_what, difference, message) => {
    const world = getWorld();
    const { status, text } = await world.tryRegister({}, await world.withStatement(difference));
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('PUT /register/{ClientId}', () => {
  it("refuses a client_secret that is not the client's own (RFC 7592 s2.2)", async () => {
    const world = getWorld();
    const client = await world.register();
    expect((await world.put(client, { client_secret: client.client_secret })).status).toBe(200);
    const answer = await world.put(client, { client_secret: randomUUID() });
    expectRefusal(answer, 'invalid_client_metadata', undefined, 'client_secret');
  });

  it('serialises simultaneous replacements: the result is one of them', async () => {
    const world = getWorld();
    const client = await world.register();
    const scopes = ['openid', 'payments', 'openid payments', 'accounts', 'openid accounts'];
    const answers = await Promise.all(scopes.map((scope) => world.put(client, { scope })));
    expect(answers.map(({ status }) => status)).toEqual(scopes.map(() => 200));
    expect(scopes).toContain((await world.manage(client, `Basic ${basicOf(client)}`)).json()['scope']);
  });
});

describe('GET, PUT and DELETE /register/{ClientId}', () => {
  it('does not tell whether an id exists to a certificate of another organisation', async () => {
    const world = getWorld();
    const client = await world.register();
    const certificate = world.otherTpp.certificate;
    const token = await world.aToken(client);
    for (const authorization of [`Basic ${basicOf(client)}`, `Bearer ${token}`, undefined]) {
      for (const client_id of [client.client_id, randomUUID()]) {
        for (const method of ['GET', 'DELETE']) {
          expectBodiless(await world.manage({ client_id }, authorization, { method, certificate }), 401);
        }
      }
    }
    // The token was presented over another certificate: it is not that TPP's to end.
    expect((await world.manage(client, `Bearer ${token}`)).status).toBe(200);
    expectBodiless(await world.manage(client, `Basic ${basicOf(client)}`, { certificate: null }), 401);
  });

  it('leaves a tombstone without a secret', async () => {
    const world = getWorld();
    const client = await world.register({ token_endpoint_auth_method: 'client_secret_jwt' });
    expect((await world.manage(client, `Basic ${basicOf(client)}`, { method: 'DELETE' })).status).toBe(204);
    const { rows } = await world.sandbox.database.query(
      `SELECT status, octet_length(secret_hash) AS hash, secret_encrypted FROM clients WHERE client_id = $1`,
      [client.client_id],
    );
    expect(rows).toEqual([{ status: 'Deleted', hash: 0, secret_encrypted: null }]);
  });
});
