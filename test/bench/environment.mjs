import { randomBytes } from 'node:crypto';

/** How the README and the deployments start the token app. */
export const tokenNodeOptions = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
  '--no-maglev',
];

/** How they start the API. */
export const apiNodeOptions = ['--heap-growing-percent=300'];

/** The variables of our apps for the benchmark; everything durable or cryptographic is as in production. */
export function createEnvironment({ databaseUrl, poolSize, pki, signingKey, directoryUrl }) {
  return {
    BASE_URL: 'https://localhost:8443',
    AUTH_URL: 'https://localhost:8441',
    TOKEN_URL: 'https://localhost:8442',
    DATABASE_URL: databaseUrl,
    DATABASE_TLS: 'any',
    DATABASE_POOL_SIZE: String(poolSize),
    TLS_CERTIFICATE: pki.server.certificate,
    TLS_PRIVATE_KEY: pki.server.privateKey,
    CLIENT_TRUST_ANCHORS: pki.ca,
    SIGNING_KEYS: JSON.stringify({ keys: [signingKey.privateJwk] }),
    ORGANISATION_ID: '0015800001041RHAAY',
    CLIENT_SECRET_PEPPER: `p1:${randomBytes(32).toString('hex')}`,
    CLIENT_SECRET_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('hex')}`,
    PAIRWISE_SUBJECT_KEY: `u1:${randomBytes(32).toString('hex')}`,
    SESSION_KEYS: `s1:${randomBytes(32).toString('hex')}`,
    DIRECTORY_ISSUER: 'Bench Directory',
    DIRECTORY_JWKS_URI: `${directoryUrl}/directory.jwks`,
    DIRECTORY_KEY_HOSTS: new URL(directoryUrl).host,
    DIRECTORY_CA: pki.ca,
    DIRECTORY_ALLOW_PRIVATE_ADDRESSES: 'true',
    BANK_NAME: 'Bench Bank',
    BANK_URL: 'https://localhost:8445',
    BANK_CA: pki.ca,
    BANK_CLIENT_CERTIFICATE: pki.client.certificate,
    BANK_CLIENT_PRIVATE_KEY: pki.client.privateKey,
    // Neither the floor nor the peers ask anybody: a code exchange is measured without the bank's answer.
    CUSTOMER_STATE_CHECK: 'off',
    LOG_LEVEL: 'error',
    DCR_MAX_PER_SOFTWARE: '0',
    RATE_LIMIT_PER_CLIENT: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
  };
}
