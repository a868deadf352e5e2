import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { constants, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { compactVerify } from 'jose';
import {
  bindTransitKeys,
  createCompactJws,
  createDetachedJws,
  parseSigningKeys,
  SigningUnavailableError,
  verifyDetachedJws,
  type SigningKey,
} from '#libs/jws';
import { aCertificate } from '../support/certificates.js';

const token = 's.token-of-the-test';
const secret = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  other: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};

interface SignRequest {
  input: string;
  key_version: number;
  signature_algorithm?: string;
  salt_length?: string;
  marshaling_algorithm: string;
}

/** As documented by the engine: PSS on request, with a salt as long as the hash; ECDSA in the form of JWS. */
function signAs(key: KeyObject, wish: SignRequest): Buffer {
  const isPss = wish.signature_algorithm === 'pss' && wish.salt_length === 'hash';
  return sign('sha256', Buffer.from(wish.input, 'base64'), {
    key,
    ...(isPss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
    dsaEncoding: wish.marshaling_algorithm === 'jws' ? 'ieee-p1363' : 'der',
  });
}

const honest = (path: string): KeyObject => (path.endsWith('/open-banking-ec/sha2-256') ? secret.ec : secret.rsa);

let server: Server;
let keyAt = honest;
/** what it answers instead of a signature; `nothing` for no answer at all */
let answer: { status: number; body: string } | 'nothing' | undefined;
let service: { url: string; ca: string; token: string };
let asked: { path: string; token: unknown; version: number }[] = [];

beforeAll(async () => {
  const authority = await aCertificate({ profile: 'authority', name: 'Authority of the signing service' });
  const certificate = await aCertificate({ profile: 'server', name: 'localhost', issuer: authority });
  server = createServer({ cert: certificate.certificate, key: certificate.privateKeyPem }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const wish = JSON.parse(text) as SignRequest;
      const path = request.url ?? '';
      asked.push({ path, token: request.headers['x-vault-token'], version: wish.key_version });
      if (answer === 'nothing') return;
      if (answer !== undefined) return response.writeHead(answer.status).end(answer.body);
      const signature = `vault:v${wish.key_version}:${signAs(keyAt(path), wish).toString('base64url')}`;
      return response.end(JSON.stringify({ data: { signature } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}/v1/transit`;
  service = { url, ca: authority.certificate, token };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  keyAt = honest;
  answer = undefined;
  asked = [];
});

const publicJwk = (key: KeyObject): Record<string, unknown> => {
  const { kty, n, e, crv, x, y } = key.export({ format: 'jwk' });
  return kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
};
const jwks = () => ({
  keys: [
    { ...publicJwk(secret.rsa), kid: 'r', use: 'sig', transit: 'open-banking-rsa:3' },
    { ...publicJwk(secret.ec), kid: 'e', use: 'sig', transit: 'open-banking-ec:1' },
  ],
});
const bound = async (): Promise<[SigningKey, SigningKey]> =>
  bindTransitKeys(await parseSigningKeys(jwks()), service) as [SigningKey, SigningKey];

describe('a key whose private half is at a signing service', () => {
  it.each([0, 1])('makes signatures that verify with the published key (PS256, ES256): %d', async (index) => {
    const key = (await bound())[index]!;
    const jws = await createCompactJws({ header: { typ: 'JWT' }, payload: '{"sub":"somebody"}', key });
    const { protectedHeader, payload } = await compactVerify(jws, key.publicKey, { algorithms: [key.algorithm] });
    expect(protectedHeader).toEqual({ typ: 'JWT', alg: ['PS256', 'ES256'][index], kid: ['r', 'e'][index] });
    expect(Buffer.from(payload).toString()).toBe('{"sub":"somebody"}');
    expect(asked[0]).toEqual({
      path: `/v1/transit/sign/open-banking-${['rsa', 'ec'][index]}/sha2-256`,
      token,
      version: [3, 1][index],
    });
  });

  it.each(['b64-false', 'b64-absent'] as const)('signs the bytes of a body in the form %s', async (form) => {
    const [key] = await bound();
    const body = randomBytes(200_000);
    const now = new Date();
    const jws = await createDetachedJws({ body, key, issuer: '0015800001041RHAAY', trustAnchor: 'test', form, now });
    const verify = (bytes: Buffer) =>
      verifyDetachedJws({
        detachedJws: jws,
        body: bytes,
        expectedIssuer: '0015800001041RHAAY',
        trustAnchors: ['test'],
        findKeys: async () => [key.publicKey],
        now,
      });
    await expect(verify(body)).resolves.toMatchObject({ form });
    await expect(verify(Buffer.concat([body, Buffer.from(' ')]))).rejects.toThrow();
  });

  it('is not used if the service signs with another key, refuses, or sends an invalid answer', async () => {
    const [key] = await bound();
    const sign = () => key.sign({}, Buffer.from('x'));
    keyAt = () => secret.other;
    await expect(sign()).rejects.toThrow('with a key other than r');
    for (const [status, body] of [
      [403, '{"errors":["permission denied"]}'],
      [200, 'not JSON'],
      [200, '{"data":null}'],
      [200, '{"data":{"signature":"vault:v3:AAAA"}}'],
      [200, `{"data":{"signature":"${'A'.repeat(70_000)}"}}`],
    ] as const) {
      answer = { status, body };
      await expect(sign()).rejects.toThrow(SigningUnavailableError);
      await expect(key.check?.()).rejects.toThrow(SigningUnavailableError);
    }
    answer = undefined;
    keyAt = honest;
    await expect(key.check?.()).resolves.toBeUndefined();
  });

  it('gives up without an answer, and if the server’s certificate is wrong', async () => {
    const [key] = await bound();
    answer = 'nothing';
    await expect(key.check?.()).rejects.toThrow('The signing service does not answer.');
    const stranger = await aCertificate({ profile: 'authority', name: 'Somebody else' });
    const [mistrusting] = bindTransitKeys(await parseSigningKeys(jwks()), { ...service, ca: stranger.certificate });
    asked = [];
    await expect(mistrusting?.check?.()).rejects.toThrow('The signing service does not answer.');
    expect(asked).toEqual([]);
  });

  it('is refused with private members or an invalid name, and cannot sign without a service', async () => {
    const [entry] = jwks().keys;
    const privateEntry = { ...secret.rsa.export({ format: 'jwk' }), ...entry };
    await expect(parseSigningKeys({ keys: [privateEntry] })).rejects.toThrow('key is missing or wrong');
    for (const transit of ['open-banking-rsa', '../keys:1', 'x:0', 7, null]) {
      await expect(parseSigningKeys({ keys: [{ ...entry, transit }] })).rejects.toThrow('transit');
    }
    const [unbound] = await parseSigningKeys({ keys: [entry] });
    await expect(unbound?.sign({}, Buffer.from('x'))).rejects.toThrow('no signing service is known for r');
  });
});
