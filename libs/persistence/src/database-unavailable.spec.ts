import { describe, expect, it } from '@jest/globals';
import { ConfigError } from '#libs/config';
import { explainDatabaseFailure, explainJobFailure, isDatabaseUnavailable } from './database-unavailable.js';

const withCode = (code: string): Error => Object.assign(new Error('x'), { code });

describe('a database that is away', () => {
  it.each(['08006', '53300', '57P01', '25006', '55P03', '57014', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN'])(
    'is told by %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'failure on connection marked as essential: node-2:5432',
    'failed to COPY to shard 0 on node-2:5432',
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

describe('what a user is told about it', () => {
  it.each(['55P03', '57014'])('is to look for a lock (%s)', (code) => {
    expect(explainDatabaseFailure(withCode(code))).toContain('pg_stat_activity');
    expect(explainDatabaseFailure(Object.assign(new Error('wrapped'), { driverError: withCode(code) }))).toContain(
      'lock',
    );
  });

  it.each([
    ['25006', 'cannot execute INSERT in a read-only transaction', 'takes no writes'],
    ['57P03', 'No server of the database accepts writes', 'The database refuses: No server of the database accepts'],
    ['28P01', 'password authentication failed for user "x"', 'refuses: password authentication failed'],
    ['3D000', 'database "x" does not exist', 'refuses: database "x" does not exist'],
    ['53300', 'sorry, too many clients already', 'refuses: sorry, too many clients'],
    ['42501', 'permission denied for table clients', 'refuses: permission denied for table clients'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', 'TLS with the database fails: self'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname does not match', 'TLS with the database fails: Hostname'],
    [undefined, 'The server does not support SSL connections', 'TLS with the database fails: The server does not'],
    ['ECONNREFUSED', '', 'does not answer'],
  ])('names the fault: %s', (code, message, said) => {
    const error = Object.assign(new Error(message), { code });
    expect(explainDatabaseFailure(error)).toContain(said);
    expect(explainDatabaseFailure(Object.assign(new Error('wrapped'), { driverError: error }))).toContain(said);
  });

  it('is to look for the database, or nothing', () => {
    expect(explainDatabaseFailure(withCode('ECONNREFUSED'))).toContain('DATABASE_URL');
    expect(explainDatabaseFailure(withCode('23505'))).toBeUndefined();
    expect(explainDatabaseFailure(undefined)).toBeUndefined();
  });

  it.each([
    [new ConfigError(['DATABASE_URL is missing']), /DATABASE_URL is missing.*--env-file \.sandbox\/service\.env$/s],
    [withCode('ECONNREFUSED'), /does not answer/],
  ])('is, of a command, also what its settings lack: %s', (error, said) => {
    expect(explainJobFailure(error)).toMatch(said);
  });
});
