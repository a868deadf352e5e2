import type { Environment } from './environment.dto.js';
import { parseFurtherDirectories } from './further-directories.js';

const includes = (text: string, ...words: readonly string[]): boolean =>
  text.split(',').some((word) => words.includes(word.trim().toLowerCase()));

/** @returns the keys themselves of a setting that may name each by an id */
const keysIn = (text = ''): string[] =>
  text === '' ? [] : text.split(',').map((entry) => entry.replace(/^.*:/, '').toLowerCase());

/** @returns the software environments of all further directories that name their own; none of a text that cannot be read */
function environmentsIn(furtherDirectories = '[]'): readonly string[] {
  try {
    return parseFurtherDirectories(furtherDirectories).flatMap(({ environments = [] }) => environments);
  } catch {
    // Reported as a fault of the configuration.
    return [];
  }
}

/** Each setting that can weaken the security profile, and when it does. */
const weakens: readonly (readonly [keyof Environment, (environment: Environment) => boolean])[] = [
  // FAPI 1.0 Advanced s5.2.2-2: `code` in conjunction with a JWT response mode; PKCE is not enough.
  ['PLAIN_CODE_FLOW', (env) => env.PLAIN_CODE_FLOW !== 'jarm-only'],
  // FAPI 1.0 Advanced s5.2.2-14: private_key_jwt and mutual TLS are the methods of the profile.
  [
    'DCR_TOKEN_ENDPOINT_AUTH_METHODS',
    (env) =>
      includes(env.DCR_TOKEN_ENDPOINT_AUTH_METHODS, 'client_secret_basic', 'client_secret_post', 'client_secret_jwt'),
  ],
  ['DCR_LOOPBACK_REDIRECT_URIS', (env) => (env.DCR_LOOPBACK_REDIRECT_URIS ?? '') !== ''],
  ['CLIENT_ASSERTION_AUDIENCE', (env) => env.CLIENT_ASSERTION_AUDIENCE !== 'issuer'],
  ['CLIENT_CERTIFICATE_REVOCATION', (env) => env.CLIENT_CERTIFICATE_REVOCATION !== 'hard'],
  ['REQUEST_SIGNATURE_VERIFICATION', (env) => env.REQUEST_SIGNATURE_VERIFICATION === 'log'],
  // A stored v4.0 signature would be valid forever.
  ['REQUEST_SIGNATURE_MAX_AGE_SECONDS', (env) => !env.REQUEST_SIGNATURE_MAX_AGE_SECONDS.includes('v4.0=')],
  ['SOFTWARE_STATEMENT_MAX_AGE_SECONDS', (env) => env.SOFTWARE_STATEMENT_MAX_AGE_SECONDS === 0],
  ['REVOKED_KEYS_SECONDS', (env) => env.REVOKED_KEYS_SECONDS === 0],
  ['DCR_ACCEPT_HOST_ISS', (env) => env.DCR_ACCEPT_HOST_ISS],
  // SCA-RTS art. 5: nothing links such a code to the amount and the payees.
  ['UNBOUND_ONE_TIME_CODES', (env) => env.UNBOUND_ONE_TIME_CODES],
  // SCA-RTS art. 4(3)(d): five minutes at most.
  ['AUTHORIZATION_IDLE_SECONDS', (env) => env.AUTHORIZATION_IDLE_SECONDS > 300],
  ['CUSTOMER_STATE_CHECK', (env) => env.CUSTOMER_STATE_CHECK !== 'hard'],
  ['ALLOW_AUTHORIZATION_WITHOUT_INTENT', (env) => env.ALLOW_AUTHORIZATION_WITHOUT_INTENT],
  ['DIRECTORY_ALLOW_PRIVATE_ADDRESSES', (env) => env.DIRECTORY_ALLOW_PRIVATE_ADDRESSES],
  ['SOFTWARE_ENVIRONMENTS', (env) => includes(env.SOFTWARE_ENVIRONMENTS, 'sandbox')],
  ['FURTHER_DIRECTORIES', (env) => includes(environmentsIn(env.FURTHER_DIRECTORIES).join(), 'sandbox')],
  // One software could fill the database with clients.
  ['DCR_MAX_PER_SOFTWARE', (env) => env.DCR_MAX_PER_SOFTWARE === 0],
  ['FILE_PAYMENT_TOKEN_MODE', (env) => env.FILE_PAYMENT_TOKEN_MODE !== 'psu_only'],
  ['RATE_LIMIT_PER_CLIENT', (env) => env.RATE_LIMIT_PER_CLIENT === 0],
  ['RATE_LIMIT_PER_ADDRESS', (env) => env.RATE_LIMIT_PER_ADDRESS === 0],
  ['SIGN_INS_PER_ADDRESS', (env) => env.SIGN_INS_PER_ADDRESS === 0],
  ['SIGN_INS_PER_USER_NAME', (env) => env.SIGN_INS_PER_USER_NAME === 0],
  ['SIGN_INS_PER_SESSION', (env) => env.SIGN_INS_PER_SESSION === 0],
  ['SIGN_INS_PER_MINUTE', (env) => env.SIGN_INS_PER_MINUTE === 0],
  // A leaked session key would link customers to their pairwise subjects.
  ['SESSION_KEYS', (env) => keysIn(env.SESSION_KEYS).some((key) => keysIn(env.PAIRWISE_SUBJECT_KEY).includes(key))],
  ['DATABASE_TLS', (env) => env.DATABASE_TLS === 'any'],
];

/** @returns the settings that weaken the security profile */
export function findWeakenings(environment: Environment): (keyof Environment)[] {
  return weakens.filter(([, isWeak]) => isWeak(environment)).map(([name]) => name);
}
