import { describe, expect, it } from '@jest/globals';
import { Environment } from './environment.dto.js';
import { findWeakenings } from './weakenings.js';

const strict = {
  PLAIN_CODE_FLOW: 'jarm-only',
  DCR_TOKEN_ENDPOINT_AUTH_METHODS: 'private_key_jwt,tls_client_auth',
  CLIENT_ASSERTION_AUDIENCE: 'issuer',
  CLIENT_CERTIFICATE_REVOCATION: 'hard',
  FILE_PAYMENT_TOKEN_MODE: 'psu_only',
} as const;

const weakeningsOf = (settings: Partial<Environment>): string[] =>
  findWeakenings(Object.assign(new Environment(), strict, settings));

function aDirectory(members: object): string {
  return JSON.stringify([
    { issuer: 'Other', jwks_uri: 'https://other.example/jwks', key_hosts: ['other.example'], ...members },
  ]);
}

describe('weakenings of the security profile', () => {
  it('do not exist with the strict values', () => {
    expect(weakeningsOf({})).toEqual([]);
  });

  it('of the defaults are those that older clients and the five methods need', () => {
    expect(findWeakenings(new Environment()).sort()).toEqual(Object.keys(strict).sort());
  });

  it.each<[keyof Environment, unknown]>([
    ['PLAIN_CODE_FLOW', 'allow'],
    ['PLAIN_CODE_FLOW', 'refuse'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'private_key_jwt,client_secret_basic'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'client_secret_post'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'client_secret_jwt'],
    ['CLIENT_ASSERTION_AUDIENCE', 'endpoints'],
    ['CLIENT_CERTIFICATE_REVOCATION', 'soft'],
    ['CLIENT_CERTIFICATE_REVOCATION', 'off'],
    ['REQUEST_SIGNATURE_VERIFICATION', 'log'],
    ['REQUEST_SIGNATURE_MAX_AGE_SECONDS', 'v3.1=600'],
    ['SOFTWARE_STATEMENT_MAX_AGE_SECONDS', 0],
    ['REVOKED_KEYS_SECONDS', 0],
    ['DCR_ACCEPT_HOST_ISS', true],
    ['UNBOUND_ONE_TIME_CODES', true],
    ['AUTHORIZATION_IDLE_SECONDS', 301],
    ['CUSTOMER_STATE_CHECK', 'soft'],
    ['CUSTOMER_STATE_CHECK', 'off'],
    ['ALLOW_AUTHORIZATION_WITHOUT_INTENT', true],
    ['DCR_LOOPBACK_REDIRECT_URIS', 'http://localhost:8447/callback'],
    ['DIRECTORY_ALLOW_PRIVATE_ADDRESSES', true],
    ['SOFTWARE_ENVIRONMENTS', 'production, Sandbox'],
    ['FURTHER_DIRECTORIES', aDirectory({ environments: ['production', 'Sandbox'] })],
    ['DCR_MAX_PER_SOFTWARE', 0],
    ['FILE_PAYMENT_TOKEN_MODE', 'either'],
    ['FILE_PAYMENT_TOKEN_MODE', 'client_only'],
    ['RATE_LIMIT_PER_CLIENT', 0],
    ['RATE_LIMIT_PER_ADDRESS', 0],
    ['SIGN_INS_PER_ADDRESS', 0],
    ['SIGN_INS_PER_USER_NAME', 0],
    ['SIGN_INS_PER_SESSION', 0],
    ['SIGN_INS_PER_MINUTE', 0],
    ['DATABASE_TLS', 'any'],
  ])('%s=%s is one', (name, value) => {
    expect(weakeningsOf({ [name]: value })).toEqual([name]);
  });

  it.each([
    ['of production software', aDirectory({ environments: ['production'] })],
    ['with the environments of the first one', aDirectory({})],
    ['that cannot be read, which is a fault of its own', 'nonsense'],
  ])('further directories %s are none', (_which, FURTHER_DIRECTORIES) => {
    expect(weakeningsOf({ FURTHER_DIRECTORIES })).toEqual([]);
  });

  it('a session key that equals the key of pairwise subjects, under any name, is one', () => {
    const PAIRWISE_SUBJECT_KEY = 'ab'.repeat(32);
    const weakeningsWith = (SESSION_KEYS: string): string[] => weakeningsOf({ PAIRWISE_SUBJECT_KEY, SESSION_KEYS });
    expect(weakeningsWith(`one:${'cd'.repeat(32)}`)).toEqual([]);
    expect(weakeningsWith(`one:${'cd'.repeat(32)},before:${'AB'.repeat(32)}`)).toEqual(['SESSION_KEYS']);
  });
});
