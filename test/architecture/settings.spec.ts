import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, only, signingSettings } from '#libs/config';
import { databaseSettings, loadDatabase } from '#libs/persistence';
import { aCertificate } from '../support/certificates.js';
import { allSettings, settingsOfProcesses } from '../support/apps/settings.js';

type ProcessName = keyof typeof settingsOfProcesses;

const required = [
  'BASE_URL',
  'AUTH_URL',
  'TOKEN_URL',
  'DATABASE_URL',
  'TLS_CERTIFICATE',
  'TLS_PRIVATE_KEY',
  'CLIENT_TRUST_ANCHORS',
  'SIGNING_KEYS',
  'ORGANISATION_ID',
  'CLIENT_SECRET_PEPPER',
  'CLIENT_SECRET_ENCRYPTION_KEYS',
  'PAIRWISE_SUBJECT_KEY',
  'SESSION_KEYS',
  'DIRECTORY_ISSUER',
  'DIRECTORY_JWKS_URI',
  'DIRECTORY_KEY_HOSTS',
  'BANK_NAME',
  'BANK_URL',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
];

const problemsOf = async (env: Record<string, string>, process?: ProcessName): Promise<readonly string[]> => {
  try {
    await loadConfig(env, process === undefined ? allSettings : settingsOfProcesses[process]);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const withProxyProtocol = async (env: Record<string, string>): Promise<string> =>
  (await problemsOf({ PROXY_PROTOCOL: 'true', ...env })).join();

const aDirectory = (...each: object[]): string =>
  JSON.stringify(
    each.map((members) => ({
      issuer: 'Other',
      jwks_uri: 'https://other.example/jwks',
      key_hosts: ['other.example'],
      ...members,
    })),
  );

describe('the configuration of every process', () => {
  it('names everything missing in one message, and requires nothing else', async () => {
    expect([...(await problemsOf({}))].sort()).toEqual(required.map((name) => `${name} is missing`).sort());
  });

  it.each([
    ['BASE_URL', 'http://bank.example.com'],
    ['BASE_URL', 'https://bank.example.com/'],
    ['BASE_URL', 'https://user@bank.example.com'],
    ['PORT', '70000'],
    ['PORT', 'eighty'],
    ['REGISTRATION', 'token-only'],
    ['BANK_LOOK', '[]'],
    ['BANK_LOOK', '{"color":"#0b3d66"}'],
    ['BANK_LOOK', '{"constructor":"#0b3d66"}'],
    ['BANK_LOOK', '{"colour":"blue"}'],
    ['BANK_LOOK', '{"en":[]}'],
    ['BANK_LOOK', '{"helpUrl":"http://bank.example"}'],
    ['REGISTRATION', 'standard,constructor'],
    ['ORGANISATION_ID', 'too-short'],
    ['CLIENT_SECRET_PEPPER', 'not hex'],
    ['CLIENT_SECRET_PEPPER', `one:${'ab'.repeat(32)},one:${'cd'.repeat(32)}`],
    ['CLIENT_SECRET_ENCRYPTION_KEYS', 'key1:abcd'],
    ['SESSION_KEYS', 'ab'.repeat(32)],
    ['PAIRWISE_SUBJECT_KEY', `one:${'ab'.repeat(32)},two:${'cd'.repeat(32)}`],
    ['ALLOW_AUTHORIZATION_WITHOUT_INTENT', 'yes'],
    ['TLS_CERTIFICATE', 'not a certificate'],
    ['SIGNING_KEYS', '{"keys":[]}'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['BANK_CLIENT_PRIVATE_KEY', 'not a key'],
    ['DIRECTORY_CA', 'not a certificate'],
    ['EVENT_WEBHOOK_CA', 'not a certificate'],
    ['ADMIN_TRUST_ANCHORS', 'not a certificate'],
    ['FURTHER_DIRECTORIES', '[{"issuer":"x"}]'],
    ['BANK_CALLBACK_KEYS', '{"keys":[]}'],
    ['CUT_OFF_TIMES', 'FPS=25:00'],
    ['CUT_OFF_TIMES', 'reject'],
    ['CUT_OFF_TIMES', 'BACS=16:00,reject'],
    ['PAYMENT_LIMITS', 'FPS=1,000.00'],
    ['READ_WRITE_VERSIONS', '3.1,3.1'],
    ['READ_WRITE_VERSIONS', '3.2'],
    ['BANK_HOLIDAYS', 'christmas'],
    ['BANK_HOLIDAYS', '2030-12-25,2030-02-30'],
  ])('refuses %s=%s by name', async (name, value) => {
    const problems = await problemsOf({ [name]: value });
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    expect(problems).not.toContain(`${name} is missing`);
  });

  it('reads a value from the file that <NAME>_FILE names', async () => {
    const file = join(mkdtempSync(join(process.env['TEST_RUN_FOLDER'] ?? '', 'config-')), 'pepper');
    writeFileSync(file, `${'ab'.repeat(32)}\n`);
    expect(await problemsOf({ CLIENT_SECRET_PEPPER_FILE: file })).not.toContain('CLIENT_SECRET_PEPPER is missing');
    expect((await problemsOf({ CLIENT_SECRET_PEPPER_FILE: `${file}.gone` })).join()).toContain(
      'CLIENT_SECRET_PEPPER_FILE',
    );
  });

  it('refuses a value that is there twice, in a variable and in a file', async () => {
    const file = join(mkdtempSync(join(process.env['TEST_RUN_FOLDER'] ?? '', 'config-')), 'pepper');
    writeFileSync(file, 'ab'.repeat(32));
    const problems = await problemsOf({ CLIENT_SECRET_PEPPER_FILE: file, CLIENT_SECRET_PEPPER: 'cd'.repeat(32) });
    expect(problems).toContain('CLIENT_SECRET_PEPPER and CLIENT_SECRET_PEPPER_FILE are both set: remove one of them');
  });

  it('never quotes key material', async () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const broken = privateKey.replace('BEGIN', 'BEGUN');
    const text = (await problemsOf({ TLS_PRIVATE_KEY: broken, SIGNING_KEYS: broken })).join();
    expect(text).toContain('TLS_PRIVATE_KEY');
    expect(text).not.toContain(privateKey.slice(40, 60));
  });

  const issuers = 'FURTHER_DIRECTORIES must name each issuer once, and not that of DIRECTORY_ISSUER';
  it.each<[string, Record<string, string>, string[]]>([
    ['other issuers', { DIRECTORY_ISSUER: 'First', FURTHER_DIRECTORIES: aDirectory({}, { issuer: 'a' }) }, []],
    ['an issuer twice', { FURTHER_DIRECTORIES: aDirectory({}, {}) }, [issuers]],
    ['the first issuer again', { DIRECTORY_ISSUER: 'Other', FURTHER_DIRECTORIES: aDirectory({}) }, [issuers]],
    [
      'profiles to choose',
      { FAPI_PROFILES: 'fapi1-advanced, fapi2-security', DCR_FAPI_PROFILES: 'fapi2-security' },
      [],
    ],
    [
      'a profile that nobody may have',
      { DCR_FAPI_PROFILES: 'fapi1-advanced,fapi2-security' },
      ['DCR_FAPI_PROFILES must name only profiles of FAPI_PROFILES'],
    ],
    ['one version twice', { READ_WRITE_VERSIONS: '4.0,4.0' }, ['READ_WRITE_VERSIONS must name each version once']],
  ])('says what settings demand of each other: %s', async (_which, env, faults) => {
    const problems = await problemsOf(env);
    expect(problems.filter((problem) => !problem.endsWith(' is missing'))).toEqual(faults);
  });

  it('demands the ingress’ addresses and authority where an ingress forwards certificates', async () => {
    const problems = (await problemsOf({ CLIENT_CERTIFICATE_SOURCE: 'nginx' })).join();
    expect(problems).toContain('INGRESS_ADDRESSES');
    expect(problems).toContain('INGRESS_TRUST_ANCHORS');
  });

  it('takes the PROXY protocol only from the ingress, and only where TLS passes through it', async () => {
    expect(await withProxyProtocol({})).toContain('INGRESS_ADDRESSES must be given with PROXY_PROTOCOL');
    expect(await withProxyProtocol({ INGRESS_ADDRESSES: '10.0.0.1,0.0.0.0/0' })).toContain(
      'INGRESS_ADDRESSES must not be every address',
    );
    expect(await withProxyProtocol({ INGRESS_ADDRESSES: '::/0' })).toContain(
      'INGRESS_ADDRESSES must not be every address',
    );
    expect(await withProxyProtocol({ CLIENT_CERTIFICATE_SOURCE: 'nginx' })).toContain(
      'CLIENT_CERTIFICATE_SOURCE must be tls',
    );
    expect(await withProxyProtocol({ INGRESS_ADDRESSES: '10.0.0.0/8' })).not.toContain('INGRESS');
  });

  it.each(['10.0.0', '10.0.0.1/33', '2001:db8::/129', 'ingress.internal', '10.0.0.1,', '10.0.0.1/a'])(
    'names invalid addresses: %s',
    async (INGRESS_ADDRESSES) => {
      expect((await problemsOf({ INGRESS_ADDRESSES })).join()).toContain(
        'INGRESS_ADDRESSES must be IP addresses or ranges',
      );
    },
  );

  it('refuses to start with a setting of the sandbox, whatever its value', async () => {
    for (const name of ['SANDBOX_FAULTS', 'SANDBOX_CLOCK', 'SANDBOX_SETTLEMENT_DAY_MILLISECONDS'])
      for (const process of ['authorize', 'token', 'api', 'worker'] as const) {
        expect((await problemsOf({ [name]: 'off' }, process)).join()).toContain(`${name} is a setting of the sandbox`);
      }
    // Where the folder is says nothing about what happens in it.
    expect((await problemsOf({ SANDBOX_DIRECTORY: '/somewhere' })).join()).not.toContain('SANDBOX_DIRECTORY');
  });
});

describe('lists of names', () => {
  it.each<Record<string, string>>([
    { FAPI_PROFILES: 'fapi3' },
    { FAPI_PROFILES: 'fapi1-advanced,' },
    { FAPI_PROFILES: ' ' },
    { FAPI_PROFILES: 'fapi1-advanced', DCR_FAPI_PROFILES: 'fapi2-security' },
    { DCR_TOKEN_ENDPOINT_AUTH_METHODS: ',' },
  ])('refuses %j', async (settings) => {
    const name = Object.keys(settings).at(-1);
    expect((await problemsOf(settings)).join()).toContain(`${name} must`);
  });
});

describe('STRICT', () => {
  it('refuses each setting that weakens the security profile, and only where it is on', async () => {
    const weak = { PLAIN_CODE_FLOW: 'allow', CLIENT_CERTIFICATE_REVOCATION: 'off' };
    const problems = (await problemsOf({ ...weak, STRICT: 'true' })).join();
    for (const name of Object.keys(weak)) expect(problems).toContain(`${name} weakens the security profile`);
    expect((await problemsOf(weak)).join()).not.toContain('weakens');
  });
});

it.each([undefined, 'authorize', 'token', 'api', 'worker', 'operator'] as const)(
  'no server goes unverified, STRICT or not: %s',
  async (process) => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const sentence = 'NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every server: unset it';
    expect(await problemsOf(env, process)).toContain(sentence);
    expect(await problemsOf({ NODE_TLS_REJECT_UNAUTHORIZED: '1' }, process)).not.toContain(sentence);
    await expect(loadDatabase(env)).rejects.toThrow(sentence);
  },
);

describe('the session keys with which an upgrade begins (deploy/upgrade.md)', () => {
  const pairwise = 'ab'.repeat(32);

  it.each([`before:${pairwise}`, `next:${'cd'.repeat(32)},before:${pairwise}`])(
    'are refused where STRICT is on, until the older key is gone, and taken where it is off for that process: %s',
    async (SESSION_KEYS) => {
      const env = { SESSION_KEYS, PAIRWISE_SUBJECT_KEY: `u1:${pairwise}` };
      const problems = await problemsOf({ ...env, STRICT: 'true' }, 'authorize');
      expect(problems).toContain('SESSION_KEYS weakens the security profile, which STRICT=true refuses');
      expect((await problemsOf({ ...env, STRICT: 'false' }, 'authorize')).join()).not.toContain('SESSION_KEYS');
      // The others do not read it, and stay strict.
      expect((await problemsOf({ ...env, STRICT: 'true' }, 'token')).join()).not.toContain('SESSION_KEYS');
    },
  );
});

const uriWith = async (env: Record<string, string>): Promise<string | undefined> =>
  (await loadConfig(env, only(signingSettings, 'jwksUri'))).signing.jwksUri;

describe('JWKS_URI', () => {
  it('takes the place of the own key set in discovery: keys may be hosted at the directory', async () => {
    expect(await uriWith({})).toBeUndefined();
    expect(await uriWith({ JWKS_URI: 'https://keystore.example/bank.jwks' })).toBe(
      'https://keystore.example/bank.jwks',
    );
    expect((await problemsOf({ JWKS_URI: 'http://keystore.example/bank.jwks' })).join()).toContain('JWKS_URI');
  });
});

describe('introspection', () => {
  it('demands the authorities of the resource servers: those of TPPs are not theirs', async () => {
    const problems = await problemsOf({ INTROSPECTION_CLIENT_SUBJECTS: 'CN=accounts.bank.example' });
    expect(problems).toContain('INTROSPECTION_TRUST_ANCHORS must be given with INTROSPECTION_CLIENT_SUBJECTS');
  });
});

describe('the migration job', () => {
  it('needs the database and nothing else', async () => {
    const url = 'postgres://localhost/x?sslmode=verify-full';
    expect(
      await loadDatabase({ DATABASE_URL: url, DATABASE_POOL_SIZE: 'wrong', TLS_CERTIFICATE_FILE: '/none' }),
    ).toMatchObject({ url });
    await expect(loadDatabase({})).rejects.toThrow('DATABASE_URL is missing');
  });

  it('takes an address with several servers', async () => {
    const several = 'postgres://user:password@first:5432,second:5433/x?sslmode=verify-full';
    expect(await loadDatabase({ DATABASE_URL: several })).toEqual({ url: several, distributed: false });
    for (const wrong of ['postgres://first:5432,second:x/x', 'postgres://first,,second/x', 'mysql://first/x']) {
      await expect(loadDatabase({ DATABASE_URL: wrong })).rejects.toThrow('must be a postgres:// address');
    }
  });
});

describe('TLS to PostgreSQL', () => {
  const fault = 'DATABASE_URL must contain sslmode=verify-full';

  it.each([
    ['postgres://replica/x', {}, 'DATABASE_REPLICA_URL must contain sslmode=verify-full'],
    ['postgres://first,second/x', { DATABASE_TLS: 'any' }, 'DATABASE_REPLICA_URL must name one server'],
    [
      'postgres://replica/x',
      { DATABASE_TLS: 'any', DATABASE_DISTRIBUTED: 'true' },
      'DATABASE_REPLICA_URL must not be given with DATABASE_DISTRIBUTED',
    ],
  ])('refuses the replica %s with %o', async (url, others, problem) => {
    expect((await problemsOf({ ...others, DATABASE_REPLICA_URL: url })).join()).toContain(problem);
  });

  it('takes one replica', async () => {
    const url = 'postgres://user:a,b@replica:5433/x?sslmode=verify-full';
    expect((await problemsOf({ DATABASE_REPLICA_URL: url })).join()).not.toContain('DATABASE_REPLICA_URL');
  });

  it.each([
    '?sslmode=verify-full&sslmode=disable',
    '',
    '?sslmode=require',
    '?sslmode=verify-ca',
    '?sslmode=verify-fully',
    '?xsslmode=verify-full',
  ])('must prove the name of the server: %s does not', async (query) => {
    const url = `postgres://localhost/x${query}`;
    expect((await problemsOf({ DATABASE_URL: url })).join()).toContain(fault);
    await expect(loadDatabase({ DATABASE_URL: url })).rejects.toThrow(fault);
    expect((await problemsOf({ DATABASE_URL: url, DATABASE_TLS: 'any' })).join()).not.toContain('DATABASE_URL');
    expect(await loadDatabase({ DATABASE_URL: url, DATABASE_TLS: 'any' })).toMatchObject({ url });
  });

  it.each([
    '?sslmode=verify-full',
    '?sslrootcert=/ca.pem&sslmode=verify-full',
    '?sslmode=verify-full&application_name=x',
  ])('is there with %s', async (query) => {
    expect((await problemsOf({ DATABASE_URL: `postgres://localhost/x${query}` })).join()).not.toContain('DATABASE_URL');
  });
});

describe('the configuration of one process', () => {
  const secrets = [
    'TLS_PRIVATE_KEY',
    'SIGNING_KEYS',
    'CLIENT_SECRET_PEPPER',
    'PAIRWISE_SUBJECT_KEY',
    'SESSION_KEYS',
    'BANK_CLIENT_PRIVATE_KEY',
  ];
  const demanded = async (process: ProcessName): Promise<string[]> => {
    const problems = await problemsOf({}, process);
    return secrets.filter((name) => problems.includes(`${name} is missing`));
  };

  it.each<[ProcessName, string[]]>([
    ['authorize', secrets],
    ['token', secrets.filter((name) => name !== 'SESSION_KEYS')],
    ['api', ['TLS_PRIVATE_KEY', 'SIGNING_KEYS', 'CLIENT_SECRET_PEPPER', 'BANK_CLIENT_PRIVATE_KEY']],
    ['worker', ['SIGNING_KEYS', 'BANK_CLIENT_PRIVATE_KEY']],
    ['operator', ['CLIENT_SECRET_PEPPER', 'BANK_CLIENT_PRIVATE_KEY']],
  ])('%s needs of the secrets %j', async (process, expected) => {
    expect(await demanded(process)).toEqual(expected);
  });

  it('ignores what belongs to others, even files that it could not read', async () => {
    const others = { SESSION_KEYS_FILE: '/not-for-you', PAYMENT_LIMITS: 'wrong' };
    expect((await problemsOf(others, 'api')).join()).not.toContain('SESSION_KEYS');
    expect((await problemsOf(others, 'token')).join()).not.toContain('PAYMENT_LIMITS');
    expect((await problemsOf(others)).join()).toMatch(/SESSION_KEYS_FILE[^]*PAYMENT_LIMITS/);
  });

  it('has no connection to a bank that is not asked (CUSTOMER_STATE_CHECK=off)', async () => {
    const wrong = { BANK_CLIENT_PRIVATE_KEY_FILE: '/not-for-you', BANK_URL: 'wrong' };
    expect((await problemsOf({ ...wrong, CUSTOMER_STATE_CHECK: 'soft' }, 'token')).join()).toContain('BANK_URL');
    expect((await problemsOf({ ...wrong, CUSTOMER_STATE_CHECK: 'off' }, 'token')).join()).not.toContain('BANK');
    // The process that signs customers in still needs it.
    expect((await problemsOf({ ...wrong, CUSTOMER_STATE_CHECK: 'off' }, 'authorize')).join()).toContain('BANK_URL');
  });

  it('is not refused for what weakens another process', async () => {
    const weak = { STRICT: 'true', REQUEST_SIGNATURE_VERIFICATION: 'log' };
    expect((await problemsOf(weak, 'api')).join()).toContain('REQUEST_SIGNATURE_VERIFICATION weakens');
    expect((await problemsOf(weak, 'token')).join()).not.toContain('REQUEST_SIGNATURE_VERIFICATION');
  });

  it('has a certificate for the listener of operators, where that has TLS', async () => {
    const { certificate } = await aCertificate({ profile: 'authority', name: 'Authority of operators' });
    const withAnchors = { ADMIN_TRUST_ANCHORS: certificate };
    const problems = await Promise.all([{}, withAnchors].map((env) => problemsOf(env, 'worker')));
    expect(problems.map((each) => each.includes('TLS_CERTIFICATE is missing'))).toEqual([false, true]);
    // Settings that all processes share may name a file that the worker has not been given.
    const shared = await Promise.all(
      [{}, withAnchors].map((env) => problemsOf({ ...env, TLS_PRIVATE_KEY_FILE: '/nowhere' }, 'worker')),
    );
    expect(shared.map((each) => each.join().includes('/nowhere'))).toEqual([false, true]);
  });

  it('has no value that is made of a setting of others: to read one throws', async () => {
    const env = { DATABASE_URL: 'postgres://localhost/x?sslmode=verify-full', DATABASE_POOL_SIZE: '20' };
    const { database } = await loadConfig(env, only(databaseSettings, 'url'));
    expect(database.url).toBe(env.DATABASE_URL);
    expect(() => database.poolSize).toThrow('config.database.poolSize is read');
  });

  it.each<[ProcessName, string[]]>([
    ['token', ['CUT_OFF_TIMES', 'BANK_HOLIDAYS', 'SESSION_KEYS', 'BANK_CALLBACK_KEYS']],
    ['operator', ['SIGNING_KEYS', 'TLS_PRIVATE_KEY', 'PAIRWISE_SUBJECT_KEY', 'LOG_LEVEL']],
    ['worker', ['CLIENT_SECRET_PEPPER', 'SESSION_KEYS', 'ORGANISATION_ID', 'RATE_LIMIT_PER_CLIENT']],
  ])('%s does not even look at %j', async (process, others) => {
    const problems = (await problemsOf(Object.fromEntries(others.map((name) => [name, 'wrong'])), process)).join();
    for (const name of others) expect(problems).not.toContain(name);
  });
});

describe('constants', () => {
  it.each(Object.keys(settingsOfProcesses) as ProcessName[])('of %s are set by no environment', async (process) => {
    const constants = [...settingsOfProcesses[process]].flatMap(({ group, members }) =>
      members.flatMap((name) => [...(group.members[name]?.settings ?? [])]).filter(({ isConstant }) => isConstant),
    );
    const env = Object.fromEntries(constants.map(({ name }) => [name, 'wrong']));
    const problems = (await problemsOf(env, process)).join();
    for (const { name } of constants) expect(problems).not.toContain(name);
  });
});

const weakeningsOf = async (env: Record<string, string>): Promise<string[]> =>
  (await problemsOf(env)).flatMap((problem) => /^(\w+) weakens the security profile/.exec(problem)?.[1] ?? []);
describe('weakenings of the security profile', () => {
  const strict = {
    STRICT: 'true',
    PLAIN_CODE_FLOW: 'jarm-only',
    DCR_TOKEN_ENDPOINT_AUTH_METHODS: 'private_key_jwt,tls_client_auth',
    CLIENT_ASSERTION_AUDIENCE: 'issuer',
    CLIENT_CERTIFICATE_REVOCATION: 'hard',
    FILE_PAYMENT_TOKEN_MODE: 'psu_only',
  };
  it('do not exist with the strict values', async () => {
    expect(await weakeningsOf(strict)).toEqual([]);
  });

  it('of the defaults are those that older clients and the five methods need', async () => {
    const { STRICT, ...chosen } = strict;
    expect((await weakeningsOf({ STRICT })).sort()).toEqual(Object.keys(chosen).sort());
    expect(await weakeningsOf({ STRICT: 'false' })).toEqual([]);
  });

  it.each<[string, string]>([
    ['PLAIN_CODE_FLOW', 'allow'],
    ['PLAIN_CODE_FLOW', 'refuse'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'private_key_jwt,client_secret_basic'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'client_secret_post'],
    ['DCR_TOKEN_ENDPOINT_AUTH_METHODS', 'client_secret_jwt'],
    ['CLIENT_ASSERTION_AUDIENCE', 'endpoints'],
    ['CLIENT_CERTIFICATE_REVOCATION', 'soft'],
    ['CLIENT_CERTIFICATE_REVOCATION', 'off'],
    ['REQUEST_SIGNATURE_VERIFICATION', 'log'],
    ['REGISTRATION', 'lenient'],
    ['REGISTRATION', 'standard,host-issuer'],
    ['UNBOUND_ONE_TIME_CODES', 'true'],
    ['CUSTOMER_STATE_CHECK', 'soft'],
    ['CUSTOMER_STATE_CHECK', 'off'],
    ['ALLOW_AUTHORIZATION_WITHOUT_INTENT', 'true'],
    ['SOFTWARE_ENVIRONMENTS', 'production, Sandbox'],
    ['FURTHER_DIRECTORIES', aDirectory({ environments: ['production', 'Sandbox'] })],
    ['DCR_MAX_PER_SOFTWARE', '0'],
    ['FILE_PAYMENT_TOKEN_MODE', 'either'],
    ['FILE_PAYMENT_TOKEN_MODE', 'client_only'],
    ['RATE_LIMIT_PER_CLIENT', '0'],
    ['RATE_LIMIT_PER_ADDRESS', '0'],
    ['SIGN_INS_PER_ADDRESS', '0'],
    ['SIGN_INS_PER_MINUTE', '0'],
    ['DATABASE_TLS', 'any'],
  ])('%s=%s is one', async (name, value) => {
    expect(await weakeningsOf({ ...strict, [name]: value })).toEqual([name]);
  });

  it.each([
    ['of production software', aDirectory({ environments: ['production'] })],
    ['with the environments of the first one', aDirectory({})],
    ['that cannot be read, which is a fault of its own', 'nonsense'],
  ])('further directories %s are none', async (_which, FURTHER_DIRECTORIES) => {
    expect(await weakeningsOf({ ...strict, FURTHER_DIRECTORIES })).toEqual([]);
  });

  it('a session key that equals the key of pairwise subjects, under any name, is one', async () => {
    const PAIRWISE_SUBJECT_KEY = `u1:${'ab'.repeat(32)}`;
    const weakeningsWith = (SESSION_KEYS: string): Promise<string[]> =>
      weakeningsOf({ ...strict, PAIRWISE_SUBJECT_KEY, SESSION_KEYS });
    expect(await weakeningsWith(`one:${'cd'.repeat(32)}`)).toEqual([]);
    expect(await weakeningsWith(`one:${'cd'.repeat(32)},before:${'AB'.repeat(32)}`)).toEqual(['SESSION_KEYS']);
  });
});
