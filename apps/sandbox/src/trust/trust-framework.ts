import { dirname, join } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { parseSigningKeys, type SigningKey } from '#libs/jws';
import { ensureFolder, privateMode, publicMode, writeFileAtomically } from '../write-file-atomically.js';
import { ensureCertificate } from './ensure-certificate.js';
import type { Issuer } from './issue-certificate.js';
import { createPrivateJwk } from './json-web-keys.js';
import { ensurePrivateKey, keyIdOfKey } from './key-pair.js';
import { ensureSecrets, type SandboxSecrets } from './secrets.js';

const authorityDays = 3_650;
const certificateDays = 397;

const country: Record<string, string[]> = { C: ['GB'] };

/** A certificate and its key: the PEM texts, and the files they are in. */
export interface Credential {
  certificate: string;
  certificateFile: string;
  privateKey: KeyObject;
  privateKeyFile: string;
}

/** What the sandbox's parties need to trust each other. */
export interface TrustFramework {
  authority: Credential;
  /** For every server of the sandbox, with the authority's certificate; its names are localhost, 127.0.0.1 and ::1. */
  server: Credential;
  /** What the service presents to the bank's server; self-signed, and the only certificate that the server accepts. */
  bankClient: Credential;
  /** The bank's own authority, which signs the resource server's certificate but no TPP's. */
  bankAuthority: Credential;
  /** What a server of the bank presents to introspect tokens. */
  resourceServer: Credential;
  /** The directory's key, which signs software statements. */
  directorySigningKey: SigningKey;
  /** The key with which the bank's payment hub signs its reports. */
  bankHubKey: SigningKey;
  /** Its public half, as a JWK set. */
  bankHubKeysFile: string;
  /** Private JWK set of the bank. */
  bankSigningKeysFile: string;
  secrets: SandboxSecrets;
}

/**
 * Reads the authority, keys and certificates below a folder, and makes those that are missing or about to expire.
 * @param directory the sandbox's folder
 */
export async function ensureTrustFramework({
  directory,
  now,
}: {
  directory: string;
  now: Date;
}): Promise<TrustFramework> {
  const folders = ['ca', 'servers', 'bank', 'directory'].map((name) => join(directory, name));
  for (const folder of folders) await ensureFolder(folder);
  const [ca = '', servers = '', bank = '', registry = ''] = folders;

  const [keys, secrets] = await Promise.all([ensureKeys(folders), ensureSecrets(join(directory, 'secrets.json'))]);
  const authority = await ensureCredential(ca, '', keys.authority, {
    profile: 'authority',
    subject: [country, { O: ['Open Banking Sandbox'] }, { CN: ['Open Banking Sandbox Root CA'] }],
    days: authorityDays,
    now,
  });
  const bankAuthority = await ensureCredential(bank, 'authority-', keys.bankAuthority, {
    profile: 'authority',
    subject: [country, { O: ['Sandbox Bank'] }, { CN: ['Sandbox Bank CA'] }],
    days: authorityDays,
    now,
  });
  const signed = { issuer: authority, days: certificateDays, now };
  const bankName = [country, { O: ['Sandbox Bank'] }, { CN: [secrets.organisationId] }];
  const directoryName = [country, { O: ['OpenBanking Sandbox'] }, { CN: ['OpenBanking Sandbox Directory'] }];
  const [server, bankClient, resourceServer, rsaSigning, ecSigning, directorySigning] = await Promise.all([
    ensureCredential(servers, '', keys.server, {
      ...signed,
      profile: 'server',
      subject: [country, { CN: ['localhost'] }],
    }),
    ensureCredential(bank, 'client-', keys.bankClient, {
      profile: 'bank-client',
      subject: [country, { O: ['Sandbox Bank'] }, { CN: ['open-banking-service'] }],
      days: certificateDays,
      now,
    }),
    ensureCredential(bank, 'resource-server-', keys.resourceServer, {
      ...signed,
      issuer: bankAuthority,
      profile: 'bank-client',
      subject: [country, { O: ['Sandbox Bank'] }, { CN: ['resource-server'] }],
    }),
    ensureCredential(bank, 'signing-rsa-', keys.rsa, { ...signed, profile: 'signing', subject: bankName }),
    ensureCredential(bank, 'signing-ec-', keys.ec, { ...signed, profile: 'signing', subject: bankName }),
    ensureCredential(registry, 'signing-', keys.directory, { ...signed, profile: 'signing', subject: directoryName }),
  ]);
  const bankHubKey = await toHubKey(keys.hub);
  return {
    authority,
    server: await withIssuer(server, authority),
    bankClient,
    bankAuthority,
    resourceServer,
    bankHubKey,
    bankHubKeysFile: await writeJson(join(bank, 'hub-keys.json'), { keys: [bankHubKey.publicJwk] }),
    directorySigningKey: await toSigningKey(directorySigning),
    bankSigningKeysFile: await writeKeySet(join(bank, 'signing-keys.json'), [rsaSigning, ecSigning]),
    secrets,
  };
}

/** All keys at once, because they take most of the time of a first start. */
async function ensureKeys([ca = '', servers = '', bank = '', registry = '']: readonly string[]) {
  const [authority, server, bankClient, bankAuthority, resourceServer, rsa, ec, hub, directory] = await Promise.all([
    ensurePrivateKey(join(ca, 'private-key.pem'), 'rsa'),
    ensurePrivateKey(join(servers, 'private-key.pem'), 'rsa'),
    ensurePrivateKey(join(bank, 'client-private-key.pem'), 'rsa'),
    ensurePrivateKey(join(bank, 'authority-private-key.pem'), 'ec'),
    ensurePrivateKey(join(bank, 'resource-server-private-key.pem'), 'ec'),
    ensurePrivateKey(join(bank, 'signing-rsa-private-key.pem'), 'rsa'),
    ensurePrivateKey(join(bank, 'signing-ec-private-key.pem'), 'ec'),
    ensurePrivateKey(join(bank, 'hub-private-key.pem'), 'ec'),
    ensurePrivateKey(join(registry, 'signing-private-key.pem'), 'rsa'),
  ]);
  return { authority, server, bankClient, bankAuthority, resourceServer, rsa, ec, hub, directory };
}

/** The hub's key has no certificate: the service gets its public half in its settings. */
async function toHubKey(key: KeyObject): Promise<SigningKey> {
  const jwk = { ...key.export({ format: 'jwk' }), kid: keyIdOfKey(key), use: 'sig' };
  const [hubKey] = await parseSigningKeys({ keys: [jwk] });
  if (!hubKey) throw new TypeError('A key set for one key must contain one key.');
  return hubKey;
}

/** @returns the credential as the key that signs a JWS */
async function toSigningKey(credential: Credential): Promise<SigningKey> {
  const [key] = await parseSigningKeys({ keys: [toPrivateJwk(credential)] });
  if (!key) throw new TypeError('A key set for one key must contain one key.');
  return key;
}

const toPrivateJwk = ({ privateKey, certificate }: Credential): ReturnType<typeof createPrivateJwk> =>
  createPrivateJwk({ key: privateKey, certificate });

async function ensureCredential(
  folder: string,
  prefix: string,
  key: KeyObject,
  options: Omit<Parameters<typeof ensureCertificate>[0], 'path' | 'key' | 'issuer'> & { issuer?: Issuer },
): Promise<Credential> {
  const certificateFile = join(folder, `${prefix}certificate.pem`);
  const certificate = await ensureCertificate({ ...options, path: certificateFile, key });
  return { certificate, certificateFile, privateKey: key, privateKeyFile: join(folder, `${prefix}private-key.pem`) };
}

/**
 * Adds the issuer's certificate. A server that verifies clients sends it anyway, and Chromium warns again about the
 * same certificate with another chain.
 */
async function withIssuer(credential: Credential, issuer: Credential): Promise<Credential> {
  const certificate = `${credential.certificate.trimEnd()}\n${issuer.certificate}`;
  const certificateFile = join(dirname(credential.certificateFile), 'certificate-chain.pem');
  await writeFileAtomically(certificateFile, certificate, publicMode);
  return { ...credential, certificate, certificateFile };
}

async function writeKeySet(path: string, credentials: Credential[]): Promise<string> {
  return writeJson(path, { keys: credentials.map(toPrivateJwk) });
}

async function writeJson(path: string, content: object): Promise<string> {
  await writeFileAtomically(path, `${JSON.stringify(content, undefined, 2)}\n`, privateMode);
  return path;
}
