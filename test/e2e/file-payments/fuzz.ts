import * as fc from 'fast-check';
import { aJwsHeader } from '../../support/detached-jws.js';
import { expectInteractionId } from '../../support/expectations.js';
import type { TestTpp } from '../../support/a-tpp.js';
import type { TestResponse } from '../../support/https-request.js';
import { consents, unknownId } from './world.js';

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

/** A valid document with one member replaced, added or removed. */
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

export const anyBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
/** Header values that Node accepts. */
export const headerValue = fc
  .oneof(hostileText, fc.string({ maxLength: 80 }))
  .map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 2_000));

/** A checked TPP has held the answer against its document. */
export function expectAnswered(response: TestResponse): void {
  if (response.status >= 500) throw new Error(`${response.status}: ${response.text}`);
  expectInteractionId(response);
}

const headerNames = [
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
];

async function sendAnyHeader(tpp: TestTpp, name: string): Promise<void> {
  const path = `${consents}/${unknownId}`;
  const property = fc.asyncProperty(headerValue, async (value) => {
    expectAnswered(await tpp.get(path, { headers: { [name]: value } }));
    expectAnswered(await tpp.post(consents, '{}', { headers: { [name]: value } }));
  });
  await fc.assert(property, fuzzSettings(25));
}

async function sendAnySignatureHeader(tpp: TestTpp): Promise<void> {
  const names = fc.constantFrom(...Object.keys(aJwsHeader(tpp.credentials)), 'typ', 'cty', '__proto__', 'x');
  const property = fc.asyncProperty(names, hostileValue, async (name, value) => {
    expectAnswered(await tpp.post(consents, '{}', { jws: { [name]: value } }));
  });
  await fc.assert(property, fuzzSettings(150));
}

async function sendAnyPath(tpp: TestTpp): Promise<void> {
  const segment = hostileText.map((text) => encodeURIComponent(wellFormed(text)).slice(0, 1_000));
  const property = fc.asyncProperty(
    fc.constantFrom(consents, '/file-payments', ''),
    fc.array(segment, { maxLength: 3 }),
    async (start, segments) => {
      expectAnswered(await tpp.get([start, ...segments].join('/')));
    },
  );
  await fc.assert(property, fuzzSettings(100));
}

type SendAny = (tpp: TestTpp) => Promise<void>;

/** The parts of any request that may be anything, each with its sender. */
export const anyRequest: [title: string, send: SendAny][] = [
  ...headerNames.map((name): [string, SendAny] => [
    `when it has any header ${name}`,
    (tpp) => sendAnyHeader(tpp, name),
  ]),
  ['whatever the header of its signature contains', sendAnySignatureHeader],
  ['when its path is anything', sendAnyPath],
];

/** Lone surrogates cannot be sent. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
