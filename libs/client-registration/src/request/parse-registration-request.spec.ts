import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createCompactJws, importPublicKey, type VerificationKey } from '#libs/jws';
import { toTestSigningKey } from '../../../../test/support/a-signing-key.js';
import type { RegistrationFault } from '../registration.errors.js';
import { parseRegistrationRequest } from './parse-registration-request.js';
import { verifyRegistrationSignature } from './verify-registration-signature.js';

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const aRequest = async (payload: object = {}, header: Record<string, unknown> = {}): Promise<Buffer> => {
  const key = toTestSigningKey('a', keys.privateKey, 'ES256');
  return Buffer.from(
    await createCompactJws({ header, payload: JSON.stringify({ software_statement: 'x.y.z', ...payload }), key }),
  );
};

async function faultsOf(work: () => unknown): Promise<RegistrationFault[]> {
  try {
    await work();
  } catch (error) {
    expect(error).toMatchObject({ name: 'RegistrationError' });
    return Reflect.get(error as Error, 'faults') as RegistrationFault[];
  }
  return [];
}

describe('parseRegistrationRequest', () => {
  it('reads one compact JWS, with a line break at the end or without', async () => {
    const request = await aRequest();
    expect(parseRegistrationRequest(request)).toMatchObject({
      algorithm: 'ES256',
      kid: 'a',
      softwareStatement: 'x.y.z',
    });
    expect(parseRegistrationRequest(Buffer.concat([request, Buffer.from('\r\n')])).softwareStatement).toBe('x.y.z');
  });

  it.each([
    '',
    'a',
    'a.b',
    'a.b.c.d',
    '{}',
    '..',
    'e30.W10.AA',
    'e30.bnVsbA.AA',
    '\ufeffe30.e30.AA',
    'e30.e30.AA==',
    ' e30.e30.AA',
    'e30.e30.AA\n\n',
    'a'.repeat(100_000),
  ])('refuses %j as malformed', async (body) => {
    expect(await faultsOf(() => parseRegistrationRequest(Buffer.from(body)))).toEqual([
      expect.objectContaining({ error: 'invalid_client_metadata', code: 'Resource.InvalidFormat' }),
    ]);
  });

  it.each([
    ['alg', { alg: 'RS256' }],
    ['alg', { alg: 'none' }],
    ['alg', { alg: 'HS256' }],
    ['alg', {}],
    ['alg', { alg: ['PS256'] }],
  ])('DCR-T041 refuses the header %s of %j', async (path, header) => {
    const body = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.e30.AA`;
    expect(await faultsOf(() => parseRegistrationRequest(Buffer.from(body)))).toEqual([
      expect.objectContaining({ code: 'Signature.InvalidClaim', path }),
    ]);
  });

  it.each([
    ['jwk', {}],
    ['jku', 'https://evil.test'],
    ['x5u', 'x'],
    ['x5c', []],
    ['crit', ['b64']],
    ['b64', false],
    ['typ', 'at+jwt'],
    ['typ', 7],
  ])('DCR-T045 refuses the header member %s', async (path, value) => {
    const request = await aRequest({}, { [path]: value });
    expect(await faultsOf(() => parseRegistrationRequest(request))).toEqual([
      expect.objectContaining({ code: 'Signature.InvalidClaim', path }),
    ]);
  });

  it('accepts the types JWT and JOSE in any case', async () => {
    for (const typ of ['JWT', 'jose'])
      expect(parseRegistrationRequest(await aRequest({}, { typ })).algorithm).toBe('ES256');
  });

  it.each([
    [{ software_statement: undefined }, 'Field.Missing', 'software_statement'],
    [{ software_statement: null }, 'Field.Missing', 'software_statement'],
    [{ software_statement: 7 }, 'Field.Invalid', 'software_statement'],
    [{ software_statement: undefined, softwareStatement: {} }, 'Field.Invalid', 'softwareStatement'],
  ])('refuses %j', async (payload, code, path) => {
    const request = await aRequest(payload);
    expect(await faultsOf(() => parseRegistrationRequest(request))).toEqual([
      expect.objectContaining({ error: 'invalid_software_statement', code, path }),
    ]);
  });
});

describe('verifyRegistrationSignature', () => {
  it('DCR-T043 DCR-T044 accepts a key of the software among several, and refuses any other or no key', async () => {
    const request = parseRegistrationRequest(await aRequest());
    const faultsWith = async (candidates: KeyObject[]): Promise<RegistrationFault[]> => {
      const imported = await Promise.all(candidates.map((key) => importPublicKey(key.export({ format: 'jwk' }))));
      const known = imported.filter((key): key is VerificationKey => key !== undefined);
      return faultsOf(() => verifyRegistrationSignature({ request, keys: known }));
    };
    expect(await faultsWith([otherKeys.publicKey, keys.publicKey])).toEqual([]);
    for (const candidates of [[], [otherKeys.publicKey]]) {
      expect(await faultsWith(candidates)).toEqual([expect.objectContaining({ code: 'Signature.Invalid' })]);
    }
  });
});
