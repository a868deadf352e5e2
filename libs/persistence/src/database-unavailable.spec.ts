import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable } from './database-unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('a database that is away', () => {
  it.each(['08006', '53300', '57P01', '25006', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])('is told by %s', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'No server of the database takes writes',
    'This server of the database takes no writes',
  ])('is told by "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
    expect(isDatabaseUnavailable(Object.assign(new Error('wrapped'), { driverError: new Error(message) }))).toBe(true);
  });

  it.each([withCode('23505'), withCode('42P01'), withCode('22P02'), new Error('no writes'), 'ECONNREFUSED', undefined])(
    'is not %s',
    (error) => expect(isDatabaseUnavailable(error)).toBe(false),
  );

  it('is not a caller that went away', () => {
    expect(isDatabaseUnavailable(Object.assign(withCode('ECONNRESET'), { statusCode: 400 }))).toBe(false);
  });
});
