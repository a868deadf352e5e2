import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type KeySet, parseKeySet, parseSigningKeys } from '#libs/jws';
import type { Config } from './config.js';
import { createConfig } from './create-config.js';
import { Environment } from './environment.dto.js';
import { findContradictions, findTlsFaults } from './find-contradictions.js';
import { parseFurtherDirectories } from './further-directories.js';
import { type ProcessName, settingsReadBy, withholdOthers } from './settings-read-by.js';
import { findWeakenings } from './weakenings.js';
import { parseCertificates } from './parse-pem-certificates.js';

/** The configuration is invalid. The message names every faulty variable and its rule. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'Set these environment variables and start again; deploy/configuration.md explains each of them.',
    );
    this.name = 'ConfigError';
  }
}

/** Variables whose value may be in a file named by `<NAME>_FILE`. */
export const fromFile = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'TLS_CERTIFICATE',
  'TLS_PRIVATE_KEY',
  'CLIENT_TRUST_ANCHORS',
  'INGRESS_TRUST_ANCHORS',
  'ADMIN_TRUST_ANCHORS',
  'INTROSPECTION_TRUST_ANCHORS',
  'SIGNING_KEYS',
  'SIGNING_SERVICE_TOKEN',
  'SIGNING_SERVICE_CA',
  'CLIENT_SECRET_PEPPER',
  'CLIENT_SECRET_ENCRYPTION_KEYS',
  'PAIRWISE_SUBJECT_KEY',
  'SESSION_KEYS',
  'AUDIT_DIGEST_KEYS',
  'DIRECTORY_CA',
  'FURTHER_DIRECTORIES',
  'EGRESS_PROXY_URL',
  'EVENT_WEBHOOK_CA',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
  'BANK_CALLBACK_KEYS',
  'BANK_LOGO',
  'WORDING_EN',
  'WORDING_CY',
] as const;
type FromFile = (typeof fromFile)[number];

/**
 * Reads and checks the whole configuration at once.
 * @param env usually process.env
 * @param process whose settings are read and required; those of others are ignored. Default: all.
 * @throws ConfigError naming all variables that are missing or wrong
 */
export async function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  process?: ProcessName,
): Promise<Config> {
  const problems: string[] = [];
  const own = settingsReadBy(process);
  const lacksListener = process === 'worker' && (env['ADMIN_TLS'] || 'off') === 'off';
  const asksNoBank = process === 'token' && env['CUSTOMER_STATE_CHECK'] === 'off';
  const reads: Config['reads'] = (name) =>
    own(name) &&
    !(lacksListener && forOperatorsAlone.includes(name)) &&
    !(asksNoBank && connectionToBank.includes(name));
  const environment = readEnvironment(env, problems, reads);
  // A sandbox allows changes of time and faults. Such a setting means that somebody mistakes this service for a
  // sandbox.
  for (const name of Object.keys(env)) {
    if (/^SANDBOX_(?!DIRECTORY$)/.test(name))
      problems.push(`${name} is a setting of the sandbox, and this is not a sandbox`);
  }
  const certificates = (name: Extract<FromFile, `${string}${'ANCHORS' | 'CA' | 'CERTIFICATE'}`>) =>
    readPart(problems, name, environment[name], parseCertificates);
  const parts = {
    clientTrustAnchors: (await certificates('CLIENT_TRUST_ANCHORS')) ?? [],
    ingressTrustAnchors: (await certificates('INGRESS_TRUST_ANCHORS')) ?? [],
    adminTrustAnchors: (await certificates('ADMIN_TRUST_ANCHORS')) ?? [],
    introspectionTrustAnchors: (await certificates('INTROSPECTION_TRUST_ANCHORS')) ?? [],
    signingKeys: (await readPart(problems, 'SIGNING_KEYS', environment.SIGNING_KEYS, parseKeys)) ?? [],
    furtherDirectories:
      (await readPart(problems, 'FURTHER_DIRECTORIES', environment.FURTHER_DIRECTORIES, parseFurtherDirectories)) ?? [],
    bankCallbackKeys: await readPart(problems, 'BANK_CALLBACK_KEYS', environment.BANK_CALLBACK_KEYS, parsePublicKeys),
  };
  // Used as text, but only if valid.
  for (const name of [
    'TLS_CERTIFICATE',
    'BANK_CA',
    'BANK_CLIENT_CERTIFICATE',
    'DIRECTORY_CA',
    'EVENT_WEBHOOK_CA',
    'SIGNING_SERVICE_CA',
  ] as const) {
    await certificates(name);
  }
  for (const name of ['TLS_PRIVATE_KEY', 'BANK_CLIENT_PRIVATE_KEY'] as const) {
    await readPart(problems, name, environment[name], createPrivateKey);
  }
  problems.push(...findContradictions(environment, parts.furtherDirectories));
  if (parts.signingKeys.some(({ remote }) => remote !== undefined)) {
    for (const name of ['SIGNING_SERVICE_URL', 'SIGNING_SERVICE_TOKEN'] as const) {
      if (!environment[name])
        problems.push(`${name} must be given for the keys of SIGNING_KEYS that are at a signing service`);
    }
  }
  if (environment.STRICT) {
    for (const name of findWeakenings(environment).filter(reads)) {
      problems.push(`${name} weakens the security profile, which STRICT=true refuses`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return withholdOthers(createConfig(environment, parts, reads), process);
}

/** The worker serves no clients: it needs a certificate only if the administration port has TLS. */
const forOperatorsAlone: readonly string[] = ['TLS_CERTIFICATE', 'TLS_PRIVATE_KEY'];

/** Required only by processes that call the bank. */
const connectionToBank: readonly string[] = [
  'BANK_URL',
  'BANK_CA',
  'BANK_CLIENT_CERTIFICATE',
  'BANK_CLIENT_PRIVATE_KEY',
  'BANK_TIMEOUT_MILLISECONDS',
];

/**
 * Reads only what the migration job needs, which has none of the service's keys.
 * @returns the postgres:// URL of DATABASE_URL
 * @throws ConfigError
 */
export function loadDatabaseUrl(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const problems: string[] = [];
  const environment = readEnvironment(env, problems, isOfDatabase);
  problems.push(...findTlsFaults(environment));
  if (problems.length > 0) throw new ConfigError(problems);
  return environment.DATABASE_URL;
}

const isOfDatabase: Config['reads'] = (name) => name === 'DATABASE_URL' || name === 'DATABASE_TLS';

/** @param reads the settings of the process; files and faults of others are ignored */
function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
  reads: Config['reads'],
): Environment {
  // Node.js checks no server's certificate then, wherever a connection does not insist.
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    problems.push('NODE_TLS_REJECT_UNAUTHORIZED=0 switches off the verification of every server: unset it');
  }
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isRead = reads(name.replace(/_FILE$/, '') as keyof Environment) || reads(name as keyof Environment);
    if (isRead && value !== undefined && value !== '') values[name] = value;
  }
  for (const name of fromFile) {
    const file = values[`${name}_FILE`];
    if (file === undefined) continue;
    if (values[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: remove one of them`);
    try {
      values[name] = readFileSync(file, 'utf8').trim();
    } catch (error) {
      const reason = error instanceof Error ? Reflect.get(error, 'code') : 'unknown';
      problems.push(`${name}_FILE names a file that cannot be read (${file}: ${String(reason)})`);
    }
  }
  const environment = plainToInstance(Environment, values, { exposeDefaultValues: true });
  for (const fault of validateSync(environment)) {
    if (!reads(fault.property as keyof Environment)) continue;
    const [message = `${fault.property} is not valid`] = Object.values(fault.constraints ?? {});
    const missing = values[fault.property] === undefined;
    problems.push(missing ? `${fault.property} is missing` : message);
  }
  return environment;
}

async function readPart<Part>(
  problems: string[],
  name: string,
  text: string | undefined,
  parse: (text: string) => Part | Promise<Part>,
): Promise<Part | undefined> {
  if (typeof text !== 'string') return undefined;
  try {
    return await parse(text);
  } catch {
    // The cause is left out on purpose: a parser's message may quote key material.
    problems.push(`${name} cannot be read: its content is invalid`);
    return undefined;
  }
}

async function parseKeys(text: string): ReturnType<typeof parseSigningKeys> {
  const keys = await parseSigningKeys(JSON.parse(text));
  if (!keys.some((key) => key.algorithm === 'PS256')) throw new TypeError('no PS256 key');
  return keys;
}

/** Keys that verify reports from others: at least one must be usable. */
async function parsePublicKeys(text: string): Promise<KeySet> {
  const set = await parseKeySet(JSON.parse(text), { maxKeys: 20 });
  if (!set.signingKeys.jwks().keys.some(({ kid }) => kid !== undefined)) throw new TypeError('no usable key');
  return set;
}
