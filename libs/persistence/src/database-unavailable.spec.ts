import { describe, expect, it } from '@jest/globals';
import { explainDatabaseFailure, isDatabaseUnavailable } from './database-unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('a database that is away', () => {
  it.each(['08006', '53300', '57P01', '25006', '55P03', '57014', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])(
    'is told by %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['timeout exceeded when trying to connect', 'Connection terminated unexpectedly'])(
    'is told by "%s"',
    (message) => {
      expect(isDatabaseUnavailable(new Error(message))).toBe(true);
      expect(isDatabaseUnavailable(Object.assign(new Error('wrapped'), { driverError: new Error(message) }))).toBe(
        true,
      );
    },
  );

  it.each([withCode('23505'), withCode('42P01'), withCode('22P02'), new Error('no writes'), 'ECONNREFUSED', undefined])(
    'is not %s',
    (error) => expect(isDatabaseUnavailable(error)).toBe(false),
  );

  it('is not a caller that went away', () => {
    expect(isDatabaseUnavailable(Object.assign(withCode('ECONNRESET'), { statusCode: 400 }))).toBe(false);
  });
});

describe('what a user is told about it', () => {
  it.each(['55P03', '57014'])('is to look for a lock (%s)', (code) => {
    expect(explainDatabaseFailure(withCode(code))).toContain('pg_stat_activity');
    expect(explainDatabaseFailure(Object.assign(new Error('wrapped'), { driverError: withCode(code) }))).toContain(
      'lock',
    );
  });

  it('is to look for the database, or nothing', () => {
    expect(explainDatabaseFailure(withCode('ECONNREFUSED'))).toContain('DATABASE_URL');
    expect(explainDatabaseFailure(withCode('23505'))).toBeUndefined();
    expect(explainDatabaseFailure(undefined)).toBeUndefined();
  });
});
