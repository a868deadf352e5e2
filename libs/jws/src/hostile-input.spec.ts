import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../test/support/fast-check.js';
import { decodeBase64url } from './base64url.js';
import { JwsError } from './errors.js';
import { parseCompactJws, parseJsonPayload } from './parse-compact-jws.js';
import { parseJsonObject } from './parse-json-object.js';
import { parseSigningKeys, type SigningKey } from './signing-key.js';

/** Whatever comes in, only JwsErrors come out, and none of them quotes what came in. */
async function refusedOrRead<Value>(step: () => Value | Promise<Value>, secret?: string): Promise<Value | undefined> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof JwsError)) throw error;
    const causes = [error.message, String(error.cause ?? '')].join();
    if (secret !== undefined) expect(causes).not.toContain(secret);
    return undefined;
  }
}

const members = ['kid', 'alg', 'use', 'x5c', 'kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi', 'k'];
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const good: JsonWebKey = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' };

describe('hostile input to the private key set (RFC 7517)', () => {
  it('values of any shape are refused, not stumbled over', async () => {
    const entries = fc.dictionary(fc.constantFrom(...members), fc.jsonValue());
    const sets = fc.oneof(
      fc.anything(),
      fc.jsonValue(),
      fc.record({ keys: fc.oneof(fc.jsonValue(), fc.array(fc.oneof(entries, fc.anything()), { maxLength: 4 })) }),
    );
    await fc.assert(
      fc.asyncProperty(sets, async (value) => void (await refusedOrRead(() => parseSigningKeys(value)))),
      { numRuns: 300 },
    );
  });

  it('a key of which one member is spoilt is refused, or is still that key; its private part is never told', async () => {
    const secret = String(good.d);
    const spoilt = fc.tuple(fc.constantFrom(...members), fc.oneof(fc.jsonValue(), fc.constant(undefined)));
    await fc.assert(
      fc.asyncProperty(spoilt, async ([member, value]) => {
        const read = await refusedOrRead(() => parseSigningKeys({ keys: [{ ...good, [member]: value }] }), secret);
        for (const { publicJwk, algorithm } of read ?? []) {
          expect(algorithm).toBe('ES256');
          expect(publicJwk).toMatchObject({ x: good.x, y: good.y, use: 'sig' });
          expect(JSON.stringify(publicJwk)).not.toContain(secret);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('no kid occurs twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }), async (kids) => {
        const read = await refusedOrRead(() => parseSigningKeys({ keys: kids.map((kid) => ({ ...good, kid })) }));
        expect(read?.map(({ kid }: SigningKey) => kid)).toEqual(new Set(kids).size === kids.length ? kids : undefined);
      }),
      { numRuns: 30 },
    );
  });
});

const part = (text: string): string => Buffer.from(text).toString('base64url');

describe('hostile input to a JWS (RFC 7515)', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.stringMatching(/^[A-Za-z0-9_.=-]{0,120}$/),
    fc.tuple(fc.json(), fc.json()).map(([header, payload]) => {
      return `${part(header)}.${part(payload)}.${part('x')}`;
    }),
  );

  it('is taken apart or refused; what was taken apart is what was sent', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const jws = await refusedOrRead(() => parseCompactJws(text, { maxLength: 10_000 }));
        if (jws === undefined) return;
        expect(jws.compact).toBe(text);
        expect(text.split('.')[1]).toBe(jws.payload.toString('base64url'));
        await refusedOrRead(() => parseJsonPayload(jws));
      }),
      { numRuns: 500 },
    );
  });

  it('base64url has one spelling (s2)', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const bytes = decodeBase64url(text);
        if (bytes !== undefined) expect(bytes.toString('base64url')).toBe(text);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(decodeBase64url(Buffer.from(bytes).toString('base64url'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('a JSON object is read as JSON.parse reads it, or refused; a member that occurs twice always is (s4)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 })), async (value) => {
        const text = JSON.stringify(value);
        expect(await refusedOrRead(() => parseJsonObject(Buffer.from(text), 'it'))).toEqual(JSON.parse(text));
      }),
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.jsonValue(), fc.jsonValue(), (name, one, two) => {
        const [key, first, second] = [name, one, two].map((each) => JSON.stringify(each));
        // The second time in another spelling.
        const escaped = `"${[...JSON.parse(String(key))].map((each) => (each.length === 1 ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : each)).join('')}"`;
        for (const again of [key, escaped]) {
          const text = `{${key}:${first},${again}:${second}}`;
          expect(() => parseJsonObject(Buffer.from(text), 'it')).toThrow(JwsError);
        }
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 80 }),
        async (bytes) => void (await refusedOrRead(() => parseJsonObject(bytes, 'it'))),
      ),
    );
  });
});
