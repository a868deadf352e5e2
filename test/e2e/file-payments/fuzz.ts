import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:https';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { anInitiation, aPaymentRequest, toJson } from '../../support/a-consent-request.js';
import { aPaymentFile, aPaymentItem } from '../../support/a-payment-file.js';
import { aJwsHeader } from '../../support/detached-jws.js';
import { expectErrorShape, expectInteractionId } from '../../support/expectations.js';
import type { TestTpp } from '../../support/a-tpp.js';
import { httpsRequest, type TestResponse } from '../../support/https-request.js';
import { documentedIn } from '../documentation/api-document.js';
import { consents, unknownId, type GetWorld } from './world.js';

/** The same inputs every time; a failure prints what to repeat. */
export const fuzzSettings = (numRuns: number) => ({ seed: 20_260_301, numRuns, endOnFailure: true });

/** Texts that programs trip over: NUL, lone surrogates, names of Object's own members, control characters, length. */
const oddCharacters = ['\u0000', 'a\u0000b', '\ud800', '\u202e', '', ' ', '\n', "'; --", '<script>', '${x}', '%00'];
const oddNames = ['__proto__', 'constructor', 'toString', '{}', '[]', '../../etc/passwd', '1e400', '-0', 'NaN', 'null'];
const hostileTexts = [...oddCharacters, ...oddNames, '9'.repeat(400), 'x'.repeat(70_000)];
export const hostileText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 60 }));
const hostileValue = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, {}, [], [[]], { constructor: 'x' }, { toString: 1 }, { length: -1 }),
);

/** A right document with one member replaced, added, or taken away. */
export function almost(document: object): fc.Arbitrary<string> {
  const paths = pathsOf(document);
  return fc
    .tuple(fc.constantFrom(...paths), fc.option(hostileValue, { nil: undefined }), hostileText)
    .map(([path, value, name]) => {
      const copy = structuredClone(document);
      const target = path
        .slice(0, -1)
        .reduce<Record<string, unknown>>((at, key) => at[key] as typeof at, copy as never);
      target[path.at(-1) ?? ''] = value;
      if (value === undefined) Object.defineProperty(target, name, { value: 1, enumerable: true, configurable: true });
      return JSON.stringify(copy);
    });
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

const file = aPaymentFile();
const initiation = JSON.parse(toJson(anInitiation(file))) as Record<string, unknown>;
const account = { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '20000112345678', Name: 'Payroll' };
const fullInitiation = {
  ...initiation,
  RequestedExecutionDateTime: '2099-01-01T00:00:00Z',
  DebtorAccount: account,
  RemittanceInformation: { Unstructured: 'u', Reference: 'r' },
  SupplementaryData: { a: 1 },
};
const consentDocument = {
  Data: {
    Initiation: fullInitiation,
    Authorisation: { AuthorisationType: 'Any', CompletionDateTime: '2099-01-01T00:00:00Z' },
    SCASupportData: { RequestedSCAExemptionType: 'BillPayment', ReferencePaymentOrderId: 'x' },
  },
};
const fileDocument = {
  File: {
    Data: {
      DomesticPayments: [
        aPaymentItem({
          LocalInstrument: 'UK.OBIE.FPS',
          DebtorAccount: account,
          RequestedExecutionDateTime: '2099-01-01T00:00:00Z',
          CreditorPostalAddress: { AddressLine: ['a'], Country: 'GB', AddressType: 'Business', TownName: 'Leeds' },
          SupplementaryData: { b: [] },
        }),
      ],
    },
  },
};

export const anyBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
/** What Node lets through as a header's value. */
export const headerValue = fc
  .oneof(hostileText, fc.string({ maxLength: 80 }))
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 2_000));

const expectDocumented = documentedIn('file-payments');

/** Fails for a 5xx, and for a status, header or body that the document does not have for the operation. */
function expectAnswered(operation: string, response: TestResponse): void {
  expectDocumented(operation, response);
  expectInteractionId(response);
  if (response.status === 400 || response.status === 403) expectErrorShape(response.json());
}

/** Whatever its headers, its signature and its path are: the same of each version. */
export function describeAnyRequest(
  getTpp: () => TestTpp,
  expectDocumented: (operation: string, response: TestResponse) => void,
): void {
  it.each([
    'authorization',
    'accept',
    'content-type',
    'content-encoding',
    'x-idempotency-key',
    'x-jws-signature',
    'x-fapi-interaction-id',
    'x-fapi-auth-date',
    'x-fapi-customer-ip-address',
    'client-cert',
    'cookie',
    'expect-ct',
    'x-forwarded-for',
  ])('is answered when it has any header %s', async (name) => {
    const tpp = getTpp();
    const path = `${consents}/${unknownId}`;
    const property = fc.asyncProperty(headerValue, async (value) => {
      expectDocumented('GetFilePaymentConsentsConsentId', await tpp.get(path, { headers: { [name]: value } }));
      expectDocumented('CreateFilePaymentConsents', await tpp.post(consents, '{}', { headers: { [name]: value } }));
    });
    await fc.assert(property, fuzzSettings(25));
  });

  it('is answered whatever the header of its signature contains', async () => {
    const tpp = getTpp();
    const names = fc.constantFrom(...Object.keys(aJwsHeader(tpp.credentials)), 'typ', 'cty', '__proto__', 'x');
    const property = fc.asyncProperty(names, hostileValue, async (name, value) => {
      expectDocumented('CreateFilePaymentConsents', await tpp.post(consents, '{}', { jws: { [name]: value } }));
    });
    await fc.assert(property, fuzzSettings(150));
  });

  it('is answered when its path is anything', async () => {
    const tpp = getTpp();
    const segment = hostileText.map((text) => encodeURIComponent(wellFormed(text)).slice(0, 1_000));
    const property = fc.asyncProperty(
      fc.constantFrom(consents, '/file-payments', ''),
      fc.array(segment, { maxLength: 3 }),
      async (start, segments) => {
        const response = await tpp.get([start, ...segments].join('/'));
        if (response.status >= 500) throw new Error(`${response.status}: ${response.text}`);
        expectInteractionId(response);
      },
    );
    await fc.assert(property, fuzzSettings(100));
  });
}

/**
 * No request, whatever is in it, is answered with a 5xx, in another way than the document says or without an
 * interaction id.
 */
export function describeFuzz(world: GetWorld): void {
  describe('any request at all', () => {
    it.each<[string, string, fc.Arbitrary<string | Buffer>]>([
      [consents, 'CreateFilePaymentConsents', fc.oneof(anyBody, almost(consentDocument), almost(consentDocument))],
      [
        '/file-payments',
        'CreateFilePayments',
        fc.oneof(anyBody, almost(JSON.parse(aPaymentRequest(unknownId, fullInitiation)) as object)),
      ],
    ])('is answered when it is a body of POST %s', async (path, operation, body) => {
      const property = fc.asyncProperty(body, async (sent) =>
        expectAnswered(operation, await world().tpp.post(path, sent)),
      );
      await fc.assert(property, fuzzSettings(250));
    });

    it('is answered when it is a file with the right hash', async () => {
      const { tpp } = world();
      const property = fc.asyncProperty(fc.oneof(anyBody, almost(fileDocument), almost(fileDocument)), async (sent) => {
        const uploaded = aPaymentFile({ document: sent.toString() });
        const members = { NumberOfTransactions: undefined, ControlSum: undefined, LocalInstrument: undefined };
        const consentId = await tpp.stageConsent(uploaded, members);
        const response = await tpp.upload(consentId, uploaded);
        expectAnswered('CreateFilePaymentConsentsConsentIdFile', response);
        if (response.status !== 200) return;
        // What was taken can also be read, and shown to the customer.
        expect((await tpp.get(`${consents}/${consentId}/file`)).status).toBe(200);
      });
      await fc.assert(property, fuzzSettings(200));
    });

    it('is answered for any body, for an authorised consent', async () => {
      const { tpp } = world();
      const property = fc.asyncProperty(almost(consentDocument), async (sent) => {
        const response = await tpp.post(consents, sent);
        expectAnswered('CreateFilePaymentConsents', response);
        if (response.status !== 201) return;
        const { ConsentId } = response.json()['Data'] as { ConsentId: string };
        expect((await tpp.get(`${consents}/${ConsentId}`)).json()).toEqual(response.json());
      });
      await fc.assert(property, fuzzSettings(150));
    });

    describeAnyRequest(() => world().tpp, expectAnswered);

    it('is answered by the token endpoint', async () => {
      const { tpp } = world();
      const names = ['grant_type', 'scope', 'code', 'redirect_uri', 'client_id', 'client_secret', 'client_assertion'];
      const field = fc.tuple(
        fc.constantFrom(...names, 'client_assertion_type', 'code_verifier', 'x'),
        formValue(tpp.clientId),
      );
      const property = fc.asyncProperty(
        fc.array(field, { maxLength: 6 }),
        headerValue,
        async (fields, authorization) => {
          const body = new URLSearchParams(fields).toString();
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          expectRefusedToken(await request(tpp.provider.token_endpoint, tpp.agent, { headers, body }));
          const withHeader = { headers: { ...headers, authorization }, body };
          expectRefusedToken(await request(tpp.provider.token_endpoint, tpp.agent, withHeader));
        },
      );
      await fc.assert(property, fuzzSettings(120));
    });

    it('is answered by the registration endpoint', async () => {
      const { tpp } = world();
      const property = fc.asyncProperty(anyBody, headerValue, async (body, authorization) => {
        const url = tpp.provider.registration_endpoint;
        const headers = { 'content-type': 'application/jose' };
        const own = `${url}/${tpp.clientId}`;
        const answers = [
          await request(url, tpp.agent, { headers, body }),
          await request(own, tpp.agent, { method: 'GET', headers: { authorization } }),
        ];
        for (const answer of answers) {
          if (answer.status >= 500) throw new Error(`${answer.status}: ${answer.text}`);
          expectInteractionId(answer);
        }
      });
      await fc.assert(property, fuzzSettings(80));
    });

    it('is answered by the authorization endpoint and the pages', async () => {
      const { tpp, sandbox } = world();
      const { origin } = new URL(tpp.provider.authorization_endpoint);
      const names = ['client_id', 'response_type', 'scope', 'redirect_uri', 'request', 'state', 'nonce', 'request_uri'];
      const query = fc.array(fc.tuple(fc.constantFrom(...names, 'x'), formValue(tpp.clientId)), { maxLength: 6 });
      const page = fc.constantFrom(
        '/sign-in',
        '/second-factor',
        '/consent',
        '/challenge',
        '/challenge/again',
        '/decline',
      );
      const property = fc.asyncProperty(query, page, headerValue, async (parameters, path, cookie) => {
        const form = new URLSearchParams(parameters).toString();
        const answers = [
          await request(`${tpp.provider.authorization_endpoint}?${form}`, sandbox.agent, {
            method: 'GET',
            headers: { cookie },
          }),
          await request(`${origin}${path}?${form}`, sandbox.agent, { method: 'GET', headers: { cookie } }),
          await request(`${origin}${path}`, sandbox.agent, {
            headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
            body: form,
          }),
        ];
        for (const { status, text } of answers) if (status >= 500) throw new Error(`${status}: ${text}`);
      });
      await fc.assert(property, fuzzSettings(80));
    });
  });
}

/** Lone surrogates cannot be sent. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function formValue(clientId: string): fc.Arbitrary<string> {
  const known = ['client_credentials', 'authorization_code', 'payments', 'openid payments', 'code id_token', clientId];
  return fc
    .oneof(hostileText, fc.constantFrom(...known, randomUUID(), 'https://tpp-one.example.com/callback', 'e30.e30.AA'))
    .map((text) => wellFormed(text).slice(0, 1_500));
}

function expectRefusedToken({ status, text }: TestResponse): void {
  if (status !== 400 && status !== 401) throw new Error(`${status}: ${text}`);
  expect(JSON.parse(text)).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) });
}

function request(
  url: string,
  agent: Agent,
  { method = 'POST', headers, body }: { method?: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<TestResponse> {
  return httpsRequest({ url, agent, method, ...(headers && { headers }), ...(body !== undefined && { body }) });
}
