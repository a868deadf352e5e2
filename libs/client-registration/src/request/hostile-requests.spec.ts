import { describe, expect, it } from '@jest/globals';
import { fc } from '../../../../test/support/fast-check.js';
import { RegistrationError } from '../registration.errors.js';
import { parseRegistrationRequest } from './parse-registration-request.js';

// More runs by hand: FUZZ_RUNS=100000.
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 500);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const anything = fc.jsonValue({ maxDepth: 4 });
const members = fc.constantFrom('alg', 'kid', 'typ', 'crit', 'jwk', 'b64', 'x5c', 'cty', '__proto__');
const claims = fc.constantFrom(
  'software_statement',
  'softwareStatement',
  'response_types',
  'responseTypes',
  '__proto__',
);

const attempt = (body: Buffer): void => {
  try {
    const { algorithm, softwareStatement } = parseRegistrationRequest(body);
    expect(['PS256', 'ES256']).toContain(algorithm);
    expect(typeof softwareStatement).toBe('string');
  } catch (error) {
    expect(error).toBeInstanceOf(RegistrationError);
  }
};

describe('parseRegistrationRequest given anything', () => {
  it('bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => attempt(Buffer.from(bytes))),
      { numRuns },
    );
  });

  it('three parts of any JSON', () => {
    const header = fc.oneof(
      anything,
      fc.dictionary(members, anything, { maxKeys: 3 }).map((rest) => ({ alg: 'PS256', ...rest })),
    );
    const payload = fc.oneof(anything, fc.dictionary(claims, anything, { maxKeys: 3 }));
    const end = fc.constantFrom('', '\n', '\r\n', '\n\n', '.', ' ', '\u0000');
    fc.assert(
      fc.property(header, payload, end, (head, body, tail) => {
        attempt(Buffer.from(`${encode(head)}.${encode(body)}.AAAA${tail}`));
      }),
      { numRuns },
    );
  });
});
