import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, loadDatabaseUrl } from './load-config.js';

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
  'DIRECTORY_ISSUER',
  'DIRECTORY_JWKS_URI',
  'DIRECTORY_KEY_HOSTS',
  'BANK_NAME',
  'BANK_URL',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
];

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration of every process', () => {
  it('names all that is missing in one message, and asks for nothing else', () => {
    expect([...problemsOf({})].sort()).toEqual(required.map((name) => `${name} is missing`).sort());
  });

  it.each([
    ['BASE_URL', 'http://bank.example.com'],
    ['BASE_URL', 'https://bank.example.com/'],
    ['BASE_URL', 'https://user@bank.example.com'],
    ['API_PORT', '70000'],
    ['API_PORT', 'eighty'],
    ['ORGANISATION_ID', 'too-short'],
    ['CLIENT_SECRET_PEPPER', 'not hex'],
    ['CLIENT_SECRET_ENCRYPTION_KEYS', 'key1:abcd'],
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
    ['BANK_HOLIDAYS', 'christmas'],
    ['BANK_HOLIDAYS', '2030-12-25,2030-02-30'],
  ])('refuses %s=%s by name', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    expect(problems).not.toContain(`${name} is missing`);
  });

  it('reads a value from the file that <NAME>_FILE names', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'pepper');
    writeFileSync(file, `${'ab'.repeat(32)}\n`);
    expect(problemsOf({ CLIENT_SECRET_PEPPER_FILE: file })).not.toContain('CLIENT_SECRET_PEPPER is missing');
    expect(problemsOf({ CLIENT_SECRET_PEPPER_FILE: `${file}.gone` }).join()).toContain('CLIENT_SECRET_PEPPER_FILE');
  });

  it('refuses a value that is there twice, in a variable and in a file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'pepper');
    writeFileSync(file, 'ab'.repeat(32));
    const problems = problemsOf({ CLIENT_SECRET_PEPPER_FILE: file, CLIENT_SECRET_PEPPER: 'cd'.repeat(32) });
    expect(problems).toContain(
      'CLIENT_SECRET_PEPPER and CLIENT_SECRET_PEPPER_FILE are both set: leave one of them out',
    );
  });

  it('never quotes key material', () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const broken = privateKey.replace('BEGIN', 'BEGUN');
    const text = problemsOf({ TLS_PRIVATE_KEY: broken, SIGNING_KEYS: broken }).join();
    expect(text).toContain('TLS_PRIVATE_KEY');
    expect(text).not.toContain(privateKey.slice(40, 60));
  });

  it('demands the ingress’ addresses and authority where an ingress forwards certificates', () => {
    const problems = problemsOf({ CLIENT_CERTIFICATE_SOURCE: 'nginx' }).join();
    expect(problems).toContain('INGRESS_ADDRESSES');
    expect(problems).toContain('INGRESS_TRUST_ANCHORS');
  });

  it('refuses to start with a setting of the sandbox, whatever its value', () => {
    for (const name of ['SANDBOX_FAULTS', 'SANDBOX_CLOCK', 'SANDBOX_SETTLEMENT_DAY_MILLISECONDS']) {
      expect(problemsOf({ [name]: 'off' }).join()).toContain(`${name} is a setting of the sandbox`);
    }
    // Where the folder is says nothing about what happens in it.
    expect(problemsOf({ SANDBOX_DIRECTORY: '/somewhere' }).join()).not.toContain('SANDBOX_DIRECTORY');
  });
});

describe('introspection', () => {
  it('demands the authorities of the resource servers: those of TPPs are not theirs', () => {
    const problems = problemsOf({ INTROSPECTION_CLIENT_SUBJECTS: 'CN=accounts.bank.example' });
    expect(problems).toContain('INTROSPECTION_TRUST_ANCHORS must be given with INTROSPECTION_CLIENT_SUBJECTS');
  });
});

describe('the migration job', () => {
  it('needs the database and nothing else', () => {
    expect(loadDatabaseUrl({ DATABASE_URL: 'postgres://localhost/x' })).toBe('postgres://localhost/x');
    expect(() => loadDatabaseUrl({})).toThrow('DATABASE_URL is missing');
  });

  it('takes an address with several servers', () => {
    const several = 'postgres://user:password@first:5432,second:5433/x';
    expect(loadDatabaseUrl({ DATABASE_URL: several })).toBe(several);
    for (const wrong of ['postgres://first:5432,second:x/x', 'postgres://first,,second/x', 'mysql://first/x']) {
      expect(() => loadDatabaseUrl({ DATABASE_URL: wrong })).toThrow('must be a postgres:// address');
    }
  });
});
