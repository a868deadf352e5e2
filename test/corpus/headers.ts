import { randomUUID } from 'node:crypto';
import { aConsentRequest, type Members } from '../support/a-consent-request.js';
import { aPaymentFile } from '../support/a-payment-file.js';
import type { Differences, Headers } from '../support/a-tpp.js';
import { iat, iss, tan } from '../support/detached-jws.js';
import { sentInteractionId } from './normalise.js';
import { exchange, type Area, type CorpusWorld, type Exchange } from './exchange.js';

const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057';
const consents = '/file-payment-consents';
const payments = '/file-payments';

/** All eight, on something that does not exist. */
const operations: ['GET' | 'POST', string][] = [
  ['POST', consents],
  ['GET', `${consents}/${unknownId}`],
  ['POST', `${consents}/${unknownId}/file`],
  ['GET', `${consents}/${unknownId}/file`],
  ['POST', payments],
  ['GET', `${payments}/${unknownId}`],
  ['GET', `${payments}/${unknownId}/report-file`],
  ['GET', `${payments}/${unknownId}/payment-details`],
];

const headersOfAll: [string, Headers][] = [
  ['nothing special', {}],
  ['no access token', { authorization: undefined }],
  ['an unknown access token', { authorization: 'Bearer nobody' }],
  ['another scheme of authorization', { authorization: 'Basic YTpi' }],
  ['Accept: text/xml', { accept: 'text/xml' }],
  ['an interaction id that is none', { 'x-fapi-interaction-id': 'x' }],
  ['an auth date that is none', { 'x-fapi-auth-date': '2017-09-10' }],
  ['an address that is none', { 'x-fapi-customer-ip-address': 'localhost' }],
  ['three headers wrong', { 'x-fapi-interaction-id': 'x', 'x-fapi-auth-date': 'x', 'x-fapi-customer-ip-address': 'x' }],
];
const headersOfPosts: [string, Headers][] = [
  ['no idempotency key', { 'x-idempotency-key': undefined }],
  ['an empty idempotency key', { 'x-idempotency-key': '' }],
  ['an idempotency key of 41 characters', { 'x-idempotency-key': 'k'.repeat(41) }],
  ['white space before the idempotency key', { 'x-idempotency-key': 'a\tb ' }],
  ['no signature', { 'x-jws-signature': undefined }],
  ['a signature of something else', { 'x-jws-signature': 'e30..AAAA' }],
  ['Content-Type: text/plain', { 'content-type': 'text/plain' }],
  ['no Content-Type', { 'content-type': undefined }],
  ['a content coding', { 'content-encoding': 'gzip' }],
];
const headersOfConsents: [string, Headers][] = [
  ['an interaction id', { 'x-fapi-interaction-id': sentInteractionId }],
  ['an auth date', { 'x-fapi-auth-date': 'Sun, 10 Sep 2017 19:43:31 GMT' }],
  ['an IPv6 address', { 'x-fapi-customer-ip-address': '2001:DB8::1893:25c8:1946' }],
  ['a user agent', { 'x-customer-user-agent': 'Mozilla/5.0' }],
  ['a financial id', { 'x-fapi-financial-id': '0015800000jfQ9aAAE' }],
  ['an idempotency key of 40 characters', { 'x-idempotency-key': undefined }],
  ['Content-Type with a charset', { 'content-type': 'Application/JSON; Charset=UTF-8' }],
  ['Content-Type with another charset', { 'content-type': 'application/json; charset=utf-16' }],
  ['Accept: */*', { accept: '*/*' }],
  ['Accept with a quality of none', { accept: 'application/json;q=0' }],
  ['no Accept', { accept: undefined }],
  ['a signature that is empty', { 'x-jws-signature': '' }],
  ...['abc', 'a.b.c', '..', 'e30..', '..AAAA'].map((text): [string, Headers] => [
    `a signature that is ${text}`,
    { 'x-jws-signature': text },
  ]),
];
const inAYear = (): number => Math.floor(Date.now() / 1_000) + 31_536_000;
const signatures: [string, () => Members][] = [
  ['b64 true', () => ({ b64: true })],
  ['b64 not critical', () => ({ crit: [iat, iss, tan] })],
  ['b64 critical but absent', () => ({ b64: undefined })],
  ['no b64 at all', () => ({ b64: undefined, crit: [iat, iss, tan] })],
  ...['RS256', 'none', 'HS256'].map((alg): [string, () => Members] => [`alg ${alg}`, () => ({ alg })]),
  ...['kid', 'crit', 'alg', iat, iss, tan].map((name): [string, () => Members] => [
    `no ${name}`,
    () => ({ [name]: undefined }),
  ]),
  ['an unknown kid', () => ({ kid: 'nobody' })],
  ['iss of nobody', () => ({ [iss]: '001580000103UAvAAM/4xTq9RbW2mKf7LpZ0sVd1h' })],
  ['an untrusted tan', () => ({ [tan]: 'example.com' })],
  ['iat in the future', () => ({ [iat]: inAYear() })],
  ['iat that is a text', () => ({ [iat]: 'now' })],
  ['typ JOSE', () => ({ typ: 'JOSE' })],
  ['cty application/json', () => ({ cty: 'application/json' })],
  ['an extra crit', () => ({ crit: ['b64', iat, iss, tan, 'exp'] })],
  ['an extra member', () => ({ jku: 'https://tpp.example.com' })],
];

const posted = (name: string, differences: () => Differences): Exchange =>
  exchange(name, () => ({ method: 'POST', path: consents, body: aConsentRequest(), ...differences() }));

function exchangesOf({ tpp, otherTpp, sandbox }: CorpusWorld): Exchange[] {
  const file = aPaymentFile();
  return [
    ...operations.flatMap(([method, path]): Exchange[] => {
      const body = method === 'POST' ? { body: '{}' } : {};
      const faults = [...headersOfAll, ...(method === 'POST' ? headersOfPosts : [])];
      return [
        ...faults.map(([name, headers]): Exchange =>
          exchange(`${method} ${path}: ${name}`, () => ({ method, path, ...body, headers })),
        ),
        exchange(`${method} ${path}: another method`, () => ({ method: 'PUT', path, ...body })),
        exchange(`${method} ${path}: no certificate`, () => ({ method, path, ...body, agent: sandbox.agent })),
        exchange(`${method} ${path}: the token of another`, () => ({
          method,
          path,
          ...body,
          accessToken: otherTpp.accessToken,
        })),
        exchange(`${method} ${path}: an address below it`, () => ({ method, path: `${path}/no/where`, ...body })),
      ];
    }),
    ...headersOfConsents.map(([name, headers]) =>
      posted(name, () => ({ headers: { ...headers, ...(name.startsWith('an idempotency') && aKeyOf40()) } })),
    ),
    ...signatures.map(([name, jws]) => posted(`signature: ${name}`, () => ({ jws: jws() }))),
    posted('signature: of another body', () => ({ headers: { 'x-jws-signature': tpp.signBody('{}') } })),
    posted('signature: of another TPP', () => ({
      headers: { 'x-jws-signature': otherTpp.signBody(aConsentRequest()) },
    })),
    exchange('a file longer than is read', async () => ({
      method: 'POST',
      path: `${consents}/${await tpp.stageConsent(file)}/file`,
      body: `{"x":"${'x'.repeat(700_000)}"}`,
    })),
    exchange('a consent longer than is read', () => ({
      method: 'POST',
      path: consents,
      body: `{"x":"${'x'.repeat(262_144)}"}`,
    })),
  ];
}

const aKeyOf40 = (): Headers => ({ 'x-idempotency-key': `${randomUUID()}-40 `.trim().padEnd(40, 'x') });

/** Headers, signatures, tokens and methods of all operations. */
export const headers: Area = { name: 'headers', version: '3.1', exchanges: exchangesOf };
