import { randomUUID } from 'node:crypto';
import { Agent } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { aPaymentRequest } from '../../support/a-consent-request.js';
import type { TestResponse } from '../../support/https-request.js';
import { areas, type Json, type Operation, operationsOf } from './api-document.js';
import {
  aTppWithoutKeys,
  type Call,
  type DocumentDriver,
  form,
  occupy,
  requestLimit,
  startDocumentDriver,
} from './document-driver.js';
import { bodies } from './full-bodies.js';

/** Finds schemas by reference. */
type Resolve = (ref: string) => Json;

/** A value that breaks one rule of its schema. */
interface Violation {
  /** dotted path of the member at fault */
  path: string;
  rule: string;
  value: unknown;
}

/** @returns the schema itself behind references */
function resolved(schema: Json, resolve: Resolve): Json {
  if (typeof schema['$ref'] === 'string') return resolved(resolve(schema['$ref']), resolve);
  const [first] = (schema['allOf'] as Json[] | undefined) ?? [];
  return first === undefined ? schema : resolved(first, resolve);
}

/** Texts with a meaning beyond their form: only the document's example is valid. */
const meaningful = new Set(['SchemeName', 'Identification', 'LocalInstrument', 'ConsentId', 'Country']);

/** @returns values of a schema: members left out or there, texts of any permitted length */
function validValues(schema: Json, resolve: Resolve, name = ''): fc.Arbitrary<unknown> {
  const { type, properties, items, ...rules } = resolved(schema, resolve) as Json & {
    type?: string;
    properties?: Record<string, Json>;
    items?: Json;
  };
  if (Array.isArray(rules['enum'])) return fc.constantFrom(...(rules['enum'] as unknown[]));
  if (type === 'boolean') return fc.boolean();
  if (type === 'object' && properties !== undefined) {
    const required = (rules['required'] ?? []) as string[];
    const members = Object.entries(properties).map(([key, member]) => [key, validValues(member, resolve, key)]);
    return fc.record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
  }
  if (type === 'array' && items !== undefined) {
    const maxLength = Math.min(Number(rules['maxItems'] ?? 3), 3);
    return fc.array(validValues(items, resolve), { minLength: Number(rules['minItems'] ?? 0), maxLength });
  }
  const isMeaningful = meaningful.has(name) && 'example' in rules;
  const isFree = type === 'string' && rules['maxLength'] !== undefined && !('pattern' in rules) && !isMeaningful;
  if (!isFree) return fc.constant(rules['example'] ?? exampleOf(rules));
  const text = fc.string({ minLength: Number(rules['minLength'] ?? 0), maxLength: Number(rules['maxLength']) });
  // A schema cannot exclude a text of spaces alone.
  return text.filter((value) => /\S/.test(value));
}

/** The forms that the documents use without an example. */
function exampleOf({ format, pattern }: Json): unknown {
  if (format === 'date-time') return '2035-01-31T00:00:00+00:00';
  return pattern === '^[A-Z]{2}$' ? 'GB' : {};
}

/**
 * @param value a valid value of the schema, with every member that it knows
 * @returns for each rule of the schema a copy of the value that breaks it. Where one class has several places in the
 *   value, its rules are broken in the first of them; in the others, each member is of another type
 */
function violations(schema: Json, value: unknown, resolve: Resolve): Violation[] {
  const known = new Set<string>();
  return violationsOf(schema, value, resolve, { path: '', owner: '' }).filter(({ owner, rule }) => {
    const isNew = !known.has(`${owner} ${rule}`);
    known.add(`${owner} ${rule}`);
    return isNew || rule === 'type';
  });
}

/** A violation, and the member of a class that it is one of. */
type OwnedViolation = Violation & { owner: string };

interface Place {
  readonly path: string;
  readonly owner: string;
}

function violationsOf(schema: Json, value: unknown, resolve: Resolve, place: Place): OwnedViolation[] {
  const actual = resolved(schema, resolve);
  const own = ownViolations(actual, value).map(({ rule, value: bad }) => ({ ...place, rule, value: bad }));
  const owner = refOf(schema) ?? place.owner;
  const { path } = place;
  return [...own, ...ofMembers(actual, value, resolve, { path, owner }), ...ofItems(actual, value, resolve, place)];
}

function refOf({ $ref, allOf }: Json): string | undefined {
  const [first] = (allOf as Json[] | undefined) ?? [];
  return ($ref ?? first?.['$ref']) as string | undefined;
}

function ofMembers(schema: Json, value: unknown, resolve: Resolve, at: Place): OwnedViolation[] {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const object = value as Json;
  return Object.entries(properties).flatMap(([name, member]) => {
    if (object[name] === undefined) return [];
    const place = { path: at.path === '' ? name : `${at.path}.${name}`, owner: `${at.owner}.${name}` };
    const { [name]: _left, ...others } = object;
    const required = ((schema['required'] ?? []) as string[]).includes(name);
    return [
      ...(required ? [{ ...place, rule: 'required', value: others }] : []),
      ...violationsOf(member, object[name], resolve, place).map((found) => ({
        ...found,
        value: { ...object, [name]: found.value },
      })),
    ];
  });
}

function ofItems(schema: Json, value: unknown, resolve: Resolve, { path, owner }: Place): OwnedViolation[] {
  if (schema['type'] !== 'array' || !Array.isArray(value) || value.length === 0) return [];
  const place = { path: `${path}[0]`, owner: `${owner}[]` };
  return violationsOf(schema['items'] as Json, value[0], resolve, place).map((found) => ({
    ...found,
    value: [found.value, ...(value.slice(1) as unknown[])],
  }));
}

function ownViolations(schema: Json, value: unknown): { rule: string; value: unknown }[] {
  const { minLength, maxLength, minItems, maxItems } = schema as Record<string, number | undefined>;
  const { type } = schema;
  const found: { rule: string; value: unknown }[] = [
    { rule: 'type', value: type === 'string' ? 7 : 'seven' },
    { rule: 'null', value: null },
  ];
  if (typeof type !== 'string') return [];
  if (Number(minLength) > 0) found.push({ rule: 'minLength', value: '' });
  if (maxLength !== undefined) found.push({ rule: 'maxLength', value: 'x'.repeat(maxLength + 1) });
  if ('enum' in schema) found.push({ rule: 'enum', value: 'Nonsense' });
  if ('pattern' in schema) found.push({ rule: 'pattern', value: '!' });
  if (schema['format'] === 'date-time') found.push({ rule: 'date-time', value: 'yesterday' });
  if (Number(minItems) > 0) found.push({ rule: 'minItems', value: [] });
  if (maxItems !== undefined && Array.isArray(value)) {
    found.push({ rule: 'maxItems', value: Array.from({ length: maxItems + 1 }, () => value[0] as unknown) });
  }
  return found;
}

let started: DocumentDriver | undefined;
let withoutKeys: Awaited<ReturnType<typeof aTppWithoutKeys>> | undefined;

beforeAll(async () => {
  started = await startDocumentDriver();
});

afterAll(async () => {
  withoutKeys?.agent.destroy();
  withoutKeys?.client.close();
  started?.close();
  await started?.sandbox.stop();
});

const driver = (): DocumentDriver => {
  if (!started) throw new Error('The sandbox did not start.');
  return started;
};

const all = areas.flatMap((area) => operationsOf(area));
const answering = (status: number): Operation[] => all.filter(({ item }) => String(status) in item.responses);
const ofPayments = all.filter(({ area }) => /^(?:file|domestic)-payments/.test(area));
/** What only v4.0 answers is made by requests of its own. */
const idOf = (name: string, version: '3.1' | '4.0'): string => (version === '3.1' ? name : `${name} ${version}`);
const versions: ['3.1' | '4.0'][] = [['3.1'], ['4.0']];
const idsOf = (operations: readonly Operation[]): [string][] => operations.map(({ id }) => [id]);

async function expectStatus(id: string, status: number, difference: (call: Call) => Call): Promise<TestResponse> {
  const operation = driver().operation(id);
  const response = await driver().send(operation, difference(await driver().wellFormedCall(operation)));
  expect({ id, status: response.status, text: response.text.slice(0, 300) }).toMatchObject({ id, status });
  return response;
}

const headersOf = ({ item }: Operation): Json[] =>
  (item.parameters ?? []).filter(({ in: place }) => place === 'header');
const withHeaders = (call: Call, headers: Call['headers']): Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
});

describe('every operation of the documents', () => {
  it.each(idsOf(all))('%s answers a good request with its 2xx, or sends the browser on', async (id) => {
    const operation = driver().operation(id);
    const response = await driver().send(operation, await driver().goodCall(operation));
    expect({ id, status: response.status, text: response.text.slice(0, 300) }).toMatchObject({
      status: Number(Object.keys(operation.item.responses).find((status) => /^2|303/.test(status))),
    });
  });

  it.each(idsOf(answering(404)))('%s: 404 for a path below it', (id) =>
    expectStatus(id, 404, (call) => ({ ...call, path: `${call.path ?? driver().operation(id).path}/no/such/path` })),
  );

  it.each(idsOf(answering(405)))('%s: 405 for another method', (id) =>
    expectStatus(id, 405, ({ body: _body, ...call }) => ({ ...call, method: 'PATCH' })),
  );

  it.each(idsOf(answering(406)))('%s: 406 for a client that takes no JSON', (id) =>
    expectStatus(id, 406, (call) => withHeaders(call, { accept: 'text/csv' })),
  );

  it.each(idsOf(answering(415)))('%s: 415 for a body of another type', (id) =>
    expectStatus(id, 415, (call) => withHeaders(call, { 'content-type': 'text/plain' })),
  );

  it.each(idsOf(answering(413)))('%s: 413 for a body that is too long', (id) =>
    expectStatus(id, 413, (call) => ({ ...call, body: `${String(call.body)}&x=${'x'.repeat(200_000)}` })),
  );

  it.each(idsOf(all))('%s: 431 for headers that are too long', (id) =>
    expectStatus(id, 431, (call) => withHeaders(call, { 'x-long': 'x'.repeat(140_000) })),
  );

  it('each with a body: 408 for one that does not come', async () => {
    const slow = all.filter(({ item }) => item.requestBody !== undefined);
    const late = { 'content-length': '9' };
    await Promise.all(
      slow.map(({ id }) => expectStatus(id, 408, (call) => ({ ...withHeaders(call, late), body: '{' }))),
    );
  });

  it.each(idsOf(answering(421)))('%s: 421 for another host', async (id) => {
    // The connection is to ours; without a server name of its own Node would ask for the one in Host.
    const agents: Agent[] = [];
    await expectStatus(id, 421, (call) => {
      const { options } = call.agent ?? driver().tpp.agent;
      const agent = new Agent({ ...options, servername: 'localhost' });
      agents.push(agent);
      return { ...withHeaders(call, { host: 'bank.invalid' }), agent };
    });
    for (const agent of agents) agent.destroy();
  });

  const mutual = answering(401).filter(({ server }) => server.endsWith('8443'));
  it.each(idsOf(mutual))('%s: 401 without a client certificate', (id) =>
    expectStatus(id, 401, (call) => ({ ...call, agent: driver().sandbox.agent })),
  );

  const withToken = all.filter(({ item }) => item.security?.some((scheme) => 'bearer' in scheme));
  it.each(idsOf(withToken))('%s: 401 with a token that nobody issued', (id) =>
    expectStatus(id, 401, (call) => withHeaders(call, { authorization: 'Bearer unknown' })),
  );

  it.each([['createToken'], ['pushAuthorizationRequest'], ['revokeToken'], ['introspectToken']])(
    '%s: 401 for an unknown client',
    async (id) => {
      const unknown = form({ client_id: 'nobody', grant_type: 'client_credentials', request: 'x', token: 'x' });
      await expectStatus(id, 401, () => unknown);
    },
  );
});

describe('403 of the documents', () => {
  const ofCustomers = /^(?:Create(?:File|Domestic)Payments|.*FundsConfirmation)$/;

  it.each(idsOf(ofPayments.filter(({ name }) => !ofCustomers.test(name))))(
    "%s does not take a customer's token",
    async (id) => {
      const authorization = `Bearer ${driver().callsOf(driver().operation(id)).customerToken}`;
      await expectStatus(id, 403, (call) => withHeaders(call, { authorization }));
    },
  );

  it.each(versions)('CreateFilePayments of %s does not take a token for another consent', async (version) => {
    const calls = driver().filePayments[version];
    const authorization = `Bearer ${calls.customerToken}`;
    const other = aPaymentRequest('01890a5d-ac96-774b-bcce-b302099a8057', calls.paid.initiation);
    await expectStatus(idOf('CreateFilePayments', version), 403, () => calls.post(other, { authorization }));
  });

  const ofSingle = ofPayments.filter(({ area, name }) => area.startsWith('domestic') && ofCustomers.test(name));
  it.each(idsOf(ofSingle))('%s takes no token without a customer', async (id) => {
    const authorization = `Bearer ${driver().callsOf(driver().operation(id)).tpp.accessToken}`;
    await expectStatus(id, 403, (call) => withHeaders(call, { authorization }));
  });

  it.each(versions)('CreateDomesticPayments of %s does not take a token for another consent', (version) =>
    expectStatus(idOf('CreateDomesticPayments', version), 403, () => driver().domesticPayments[version].forAnother()),
  );

  it.each([['GetClient'], ['UpdateClient'], ['DeleteClient']])('%s is for the client itself', async (id) => {
    const { clientId } = driver().otherTpp;
    const path = `/open-banking/v3.2/register/${clientId}`;
    await expectStatus(id, 403, (call) => ({ ...call, path }));
  });

  it.each([['getUserinfo'], ['postUserinfo']])('%s is for tokens that a customer approved', (id) =>
    expectStatus(id, 403, (call) => withHeaders(call, { authorization: `Bearer ${driver().tpp.accessToken}` })),
  );
});

describe('parameters by their schemas', () => {
  const bad: Record<string, string> = {
    'x-fapi-interaction-id': 'not-a-uuid',
    'x-fapi-auth-date': 'yesterday',
    'x-fapi-customer-ip-address': 'localhost',
    'x-idempotency-key': 'k'.repeat(41),
    'x-jws-signature': 'no signature',
  };
  const good: Record<string, string> = {
    'x-fapi-interaction-id': '93bac548-d2de-4546-b106-880a5018460d',
    'x-fapi-auth-date': 'Sun, 10 Sep 2017 19:43:31 GMT',
    'x-fapi-customer-ip-address': '2001:db8::7',
    'x-customer-user-agent': 'Mozilla/5.0 (X11; Linux)',
  };

  it.each(idsOf(ofPayments))('%s refuses each header that breaks its schema, and each that is missing', async (id) => {
    const ruled = headersOf(driver().operation(id)).filter(({ name }) => name !== 'x-customer-user-agent');
    for (const { name, required } of ruled) {
      const refused = await expectStatus(id, 400, (call) =>
        withHeaders(call, { [String(name)]: bad[String(name)] ?? '!' }),
      );
      const { Errors } = refused.json() as { Errors: { Path?: string }[] };
      expect(Errors.map(({ Path }) => Path)).toContain(name);
      if (required === true) await expectStatus(id, 400, (call) => withHeaders(call, { [String(name)]: undefined }));
    }
  });

  it.each(idsOf(ofPayments.filter(({ method }) => method === 'GET')))(
    '%s takes every header, and refuses an unknown id',
    async (id) => {
      const answer = await expectStatus(id, 200, (call) => withHeaders(call, good));
      expect(answer.headers['x-fapi-interaction-id']).toBe(good['x-fapi-interaction-id']);
      const unknown = '01890a5d-ac96-774b-bcce-b302099a8057';
      await expectStatus(id, 400, (call) => ({ ...call, path: call.path?.replace(/[0-9a-f-]{36}/, unknown) ?? '' }));
    },
  );

  it('authorize answers with a page, or sends the customer back, for each parameter that breaks its schema', async () => {
    const operation = driver().operation('authorize');
    const consentId = await driver().tpp.stageFile();
    const statuses = new Set<number>();
    for (const parameter of operation.item.parameters ?? []) {
      const { name, schema, required } = parameter as { name: string; schema: Json; required: boolean };
      const { query, ...call } = await driver().authorizeCall(consentId);
      const values = [
        ...(required ? [undefined] : []),
        'enum' in schema ? 'nonsense' : 'x'.repeat((Number(schema['maxLength'] ?? 10) % 9_000) + 1),
      ];
      for (const value of values) {
        const response = await driver().send(operation, { ...call, query: { ...query, [name]: value } });
        statuses.add(response.status);
      }
    }
    expect([...statuses].sort()).toEqual(expect.arrayContaining([302, 400]));
    const { agent } = await driver().authorizeCall(consentId);
    const byForm = driver().operation('authorizeByForm');
    expect((await driver().send(byForm, { ...form({ client_id: 'unknown' }), agent })).status).toBe(400);
  });

  it('discovery: 304 for a client that has the document', async () => {
    const { headers } = await expectStatus('GetOpenidConfiguration', 200, (call) => call);
    await expectStatus('GetOpenidConfiguration', 304, (call) => withHeaders(call, { 'if-none-match': headers.etag }));
  });
});

describe('bodies by their schemas', () => {
  it.each(Object.keys(bodies))('%s refuses a body for each rule that it breaks, and names the member', async (id) => {
    const operation = driver().operation(id);
    const { schema, resolve } = driver().bodySchema(operation, 'application/json');
    const found = violations(schema, bodies[id], resolve).filter(({ path }) => path !== '');
    expect(found.length).toBeGreaterThan(30);
    const calls = driver().callsOf(operation);
    const path = operation.path.replace('{ConsentId}', await calls.tpp.stageConsent());
    const accepted: string[] = [];
    for (const { path: member, rule, value } of found) {
      const call = calls.post(JSON.stringify(value), {}, operation.name);
      const response = await driver().send(operation, { ...call, path });
      const { Errors = [] } = (response.status === 400 ? response.json() : {}) as { Errors?: { Path?: string }[] };
      if (!Errors.some(({ Path }) => Path?.startsWith(member) === true))
        accepted.push(`${member} ${rule} (${response.status})`);
    }
    expect(accepted).toEqual([]);
  });

  const staging = ofPayments.filter(({ name }) => /^Create(?:File|Domestic)PaymentConsents$/.test(name));
  it.each(idsOf(staging))('%s takes whatever its schema permits', async (id) => {
    const operation = driver().operation(id);
    const { schema, resolve } = driver().bodySchema(operation, 'application/json');
    const [form1, seed] = [validValues(schema, resolve), Number(process.env['SEED'] ?? 20300131)];
    for (const body of fc.sample(form1, { numRuns: 25, seed })) {
      const response = await driver().send(operation, driver().callsOf(operation).post(JSON.stringify(body)));
      if (response.status !== 201) throw new Error(`${response.status} ${response.text}\n${JSON.stringify(body)}`);
    }
  });

  it.each(versions)(
    'CreateFilePaymentConsentsConsentIdFile of %s takes a file that its schema permits',
    async (version) => {
      const calls = driver().filePayments[version];
      const operation = driver().operation(idOf('CreateFilePaymentConsentsConsentIdFile', version));
      const { schema, resolve } = driver().bodySchema(operation, 'application/json');
      for (const body of fc.sample(validValues(schema, resolve), { numRuns: 8, seed: 20300131 })) {
        const { DomesticPayments } = (body as { File: { Data: { DomesticPayments: Json[] } } }).File.Data;
        // What all payments of a file have in common is not for its schema to say.
        const items = DomesticPayments.map(
          ({ LocalInstrument: _type, DebtorAccount: _account, RequestedExecutionDateTime: _day, ...payment }) =>
            payment,
        );
        const file = calls.tpp.file({ document: JSON.stringify({ File: { Data: { DomesticPayments: items } } }) });
        const members = { FileHash: file.fileHash, NumberOfTransactions: String(items.length), ControlSum: undefined };
        const path = calls.resourcePath({ ConsentId: await calls.tpp.stageConsent(file, members) }, '/file');
        const response = await driver().send(operation, { ...calls.post(file.body), path });
        expect({ status: response.status, text: response.text }).toEqual({ status: 200, text: '' });
      }
    },
  );

  it.each(['RegisterClient', 'UpdateClient'])('%s refuses a claim for each rule that it breaks', async (id) => {
    const operation = driver().operation(id);
    const { schema, resolve } = driver().bodySchema(operation, 'application/jose');
    const claims = resolve(String((schema['contentSchema'] as Json)['$ref']));
    const required = claims['required'] as string[];
    const cases = Object.entries(claims['properties'] as Record<string, Json>).flatMap(([name, member]) => [
      // Those that the signer adds are always there.
      ...(required.includes(name) && !['iat', 'exp', 'jti'].includes(name)
        ? [[name, 'required', undefined] as const]
        : []),
      ...(name === 'client_id' && id === 'RegisterClient'
        ? []
        : [[name, 'type', member['type'] === 'array' ? 7 : { a: 1 }] as const]),
      ...('enum' in member ? [[name, 'enum', 'nonsense'] as const] : []),
    ]);
    const accepted: string[] = [];
    for (const [name, rule, value] of cases) {
      if (id === 'UpdateClient' && rule === 'required') continue;
      const { body } = await driver().signedBody({ [name]: value });
      const good = id === 'RegisterClient' ? await driver().registrationCall() : await driver().goodCall(operation);
      const response = await driver().send(operation, { ...good, ...(body !== undefined && { body }) });
      // A method that has no use for the claim does not look at it.
      const isIdle = name === 'tls_client_auth_subject_dn';
      if (response.status !== 400 && !isIdle) accepted.push(`${name} ${rule} (${response.status})`);
    }
    expect(accepted).toEqual([]);
  });

  it.each(['createToken', 'pushAuthorizationRequest', 'revokeToken', 'introspectToken'])(
    '%s refuses a form for each rule that it breaks',
    async (id) => {
      const operation = driver().operation(id);
      const { schema, resolve } = driver().bodySchema(operation, 'application/x-www-form-urlencoded');
      const { properties, required = [] } = resolve(String(schema['$ref'])) as {
        properties: Record<string, Json>;
        required?: string[];
      };
      const agent = id === 'introspectToken' ? driver().bankAgent : driver().tpp.agent;
      const accepted: string[] = [];
      for (const [name, member] of Object.entries(properties)) {
        // Nothing of another grant is read.
        if (['code', 'redirect_uri', 'code_verifier', 'refresh_token'].includes(name)) continue;
        const { body, ...call } = await driver().goodCall(operation);
        const broken = [
          ...(required.includes(name) ? [undefined] : []),
          ...('enum' in member ? ['nonsense'] : []),
          ...(member['maxLength'] === undefined ? [] : ['x'.repeat(Number(member['maxLength']) + 1)]),
        ];
        for (const value of broken) {
          const values = new URLSearchParams(String(body));
          if (value === undefined) values.delete(name);
          else values.set(name, value);
          const response = await driver().send(operation, { ...call, agent, body: values.toString() });
          if (response.status === 200) accepted.push(`${name} ${value?.slice(0, 10) ?? 'missing'}`);
        }
      }
      expect(accepted).toEqual([]);
    },
  );
});

describe('what is there already, in v4.0', () => {
  const twice: [string, () => Call][] = [
    ['CreateFilePaymentConsentsConsentIdFile 4.0', () => driver().filePayments['4.0'].fileAgain()],
    ['CreateFilePayments 4.0', () => driver().filePayments['4.0'].again()],
    ['CreateDomesticPayments 4.0', () => driver().domesticPayments['4.0'].again()],
  ];

  it.each(twice)('%s: 409 the second time', (id, again) => expectStatus(id, 409, again));

  it('CreateFilePaymentConsents 4.0: 409 while the result of the key is unknown', async () => {
    // As where the twin that held it rolls back in just this moment.
    await driver().sandbox.database.query(`
      CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER give_up BEFORE INSERT ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION give_up()`);
    await expectStatus('CreateFilePaymentConsents 4.0', 409, (call) => call);
    // DP-009
    await expectStatus('CreateDomesticPaymentConsents 4.0', 422, (call) => call);
    await driver().sandbox.database.query('DROP FUNCTION give_up CASCADE');
  });

  const posts = ofPayments.filter(({ area, method }) => area.endsWith('-4.0') && method === 'POST');
  it.each(idsOf(posts))('%s: 422 for a key that was used with another body', async (id) => {
    const calls = driver().callsOf(driver().operation(id));
    const key = { 'x-idempotency-key': randomUUID() };
    const good = withHeaders(await driver().goodCall(driver().operation(id)), key);
    const sent = await driver().send(driver().operation(id), good);
    expect(sent.status).toBeLessThan(300);
    const other = JSON.parse(String(good.body)) as { Data?: { Initiation: Json } };
    const name = id.includes('File') ? 'FileReference' : 'InstructionIdentification';
    if (other.Data) other.Data.Initiation[name] = 'OTHER';
    const body = JSON.stringify(other, null, 1);
    const headers = { ...good.headers, 'x-jws-signature': calls.tpp.signBody(body) };
    await expectStatus(id, 422, () => ({ ...good, body, headers }));
  });
});

describe('503 of the documents', () => {
  const withKeys = [['createToken'], ['pushAuthorizationRequest'], ['revokeToken']];
  it.each(withKeys)('%s: the keys of the client cannot be had', async (id) => {
    const { agent, clientId, credentials } = (withoutKeys ??= await aTppWithoutKeys(driver()));
    const { body } = await driver().formCall({}, clientId, credentials);
    const own = new URLSearchParams(String(body));
    const response = await expectStatus(id, 503, (call) => {
      const values = new URLSearchParams(String(call.body));
      for (const [name, value] of own) values.set(name, value);
      return { ...call, agent, body: values.toString() };
    });
    expect(response.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('every operation: there are more requests than the service answers at a time', async () => {
    const calls: [Operation, Call][] = [];
    for (const operation of answering(503)) calls.push([operation, await driver().wellFormedCall(operation)]);
    const release = await occupy(driver());
    try {
      for (const [operation, call] of calls) {
        const response = await driver().sendUnchecked(operation, call);
        driver().check.check(operation, response);
        expect({ id: operation.id, status: response.status }).toEqual({ id: operation.id, status: 503 });
      }
    } finally {
      await release();
    }
  });
});

describe('what is left of the documents', () => {
  it('every operation with a 500 has it when the tables are gone, and 503 when the database is', async () => {
    const failing = answering(500);
    const calls: [Operation, Call][] = [];
    for (const operation of failing) calls.push([operation, await driver().goodCall(operation)]);
    await driver().sandbox.database.query('DROP SCHEMA public CASCADE');
    for (const [operation, call] of calls) {
      const response = await driver().send(operation, call);
      expect({ id: operation.id, status: response.status }).toEqual({ id: operation.id, status: 500 });
    }
    driver().sandbox.database.on('error', () => undefined); // its connections end with the server
    await driver().sandbox.postgres.stop();
    for (const [operation, call] of calls) {
      const response = await driver().send(operation, call);
      expect({ id: operation.id, status: response.status }).toEqual({ id: operation.id, status: 503 });
    }
  });

  it('FP-176 every operation tells a client that asks too often to wait, and no other one', async () => {
    const { otherTpp, sandbox, tpp } = driver();
    const flood = async (operation: Operation, call: Call): Promise<void> => {
      // As many at once as one address may have under way.
      for (let sent = 0; sent <= requestLimit; sent += 4) {
        const round = Array.from({ length: 4 }, () => driver().sendUnchecked(operation, call));
        if ((await Promise.all(round)).some(({ status }) => status === 429)) return;
      }
    };
    await flood(driver().operation('GetOpenidConfiguration'), { agent: otherTpp.agent });
    await flood(driver().operation('getUserinfo'), { agent: otherTpp.agent });
    await flood(driver().operation('getKeySet'), { agent: sandbox.agent });
    for (const operation of answering(429)) {
      const agent = operation.server.endsWith('8441') ? sandbox.agent : otherTpp.agent;
      const path = operation.path.replace(/\{\w+\}/, otherTpp.clientId);
      const response = await driver().send(operation, { agent, path, headers: { accept: 'application/json' } });
      expect({ id: operation.id, status: response.status }).toEqual({ id: operation.id, status: 429 });
    }
    expect((await tpp.get(`/file-payments/${tpp.clientId}`)).status).not.toBe(429);
  });

  it('every operation has been seen with every status of its document', () => {
    const documented = all.flatMap(({ id, item }) => Object.keys(item.responses).map((status) => `${id} ${status}`));
    expect(documented.length).toBeGreaterThan(150);
    expect(documented.filter((status) => !driver().check.seen.has(status))).toEqual([]);
  });
});
