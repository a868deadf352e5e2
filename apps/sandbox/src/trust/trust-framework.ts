import { dirname, join } from 'node:path';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { parseSigningKeys, type SigningKey } from '#libs/jws';
import { ensureFolder, privateMode, publicMode, writeFileAtomically } from '../write-file-atomically.js';
import { ensureCertificate } from './ensure-certificate.js';
import type { CertificateRequest, Issuer } from './issue-certificate.js';
import { createPrivateJwk } from './json-web-keys.js';
import { ensurePrivateKey, keyIdOfKey, type KeyType } from './key-pair.js';
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

/** A certificate to be had, and who signs it; nobody: it is self-signed. */
type WantedCertificate = Pick<CertificateRequest, 'profile' | 'subject' | 'days'> & { issuer?: Promise<Issuer> };

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
  for (const name of ['ca', 'servers', 'bank', 'directory']) await ensureFolder(join(directory, name));
  const secrets = await ensureSecrets(join(directory, 'secrets.json'));
  const ensure = (prefix: string, type: KeyType, wanted: WantedCertificate): Promise<Credential> =>
    ensureCredential(join(directory, prefix), type, { ...wanted, now });
  const authority = ensure('ca/', 'rsa', {
    profile: 'authority',
    subject: [country, { O: ['Open Banking Sandbox'] }, { CN: ['Open Banking Sandbox Root CA'] }],
    days: authorityDays,
  });
  const bankAuthority = ensure('bank/authority-', 'ec', {
    profile: 'authority',
    subject: [country, { O: ['Sandbox Bank'] }, { CN: ['Sandbox Bank CA'] }],
    days: authorityDays,
  });
  const days = certificateDays;
  const signed = { issuer: authority, days };
  const ofBank = { ...signed, profile: 'signing', subject: ofSandboxBank(secrets.organisationId) } as const;
  // All keys at once, because they take most of the time of a first start.
  const made = await Promise.all([
    authority,
    bankAuthority,
    ensure('servers/', 'rsa', { ...signed, profile: 'server', subject: [country, { CN: ['localhost'] }] }),
    ensure('bank/client-', 'rsa', { profile: 'bank-client', subject: ofSandboxBank('open-banking-service'), days }),
    ensure('bank/resource-server-', 'ec', {
      issuer: bankAuthority,
      profile: 'bank-client',
      subject: ofSandboxBank('resource-server'),
      days,
    }),
    ensure('bank/signing-rsa-', 'rsa', ofBank),
    ensure('bank/signing-ec-', 'ec', ofBank),
    ensure('directory/signing-', 'rsa', {
      ...signed,
      profile: 'signing',
      subject: [country, { O: ['OpenBanking Sandbox'] }, { CN: ['OpenBanking Sandbox Directory'] }],
    }),
    ensurePrivateKey(join(directory, 'bank/hub-private-key.pem'), 'ec'),
  ]);
  const [root, bankRoot, server, bankClient, resourceServer, rsaSigning, ecSigning, directorySigning, hub] = made;
  // The hub's key has no certificate: the service gets its public half in its settings.
  const bankHubKey = await toSigningKey({ ...hub.export({ format: 'jwk' }), kid: keyIdOfKey(hub), use: 'sig' });
  return {
    authority: root,
    server: await withIssuer(server, root),
    bankClient,
    bankAuthority: bankRoot,
    resourceServer,
    bankHubKey,
    bankHubKeysFile: await writeJson(join(directory, 'bank/hub-keys.json'), { keys: [bankHubKey.publicJwk] }),
    directorySigningKey: await toSigningKey(toPrivateJwk(directorySigning)),
    bankSigningKeysFile: await writeJson(join(directory, 'bank/signing-keys.json'), {
      keys: [rsaSigning, ecSigning].map(toPrivateJwk),
    }),
    secrets,
  };
}

/** @param prefix of both files: a folder with a separator at its end, and the beginning of their names */
async function ensureCredential(
  prefix: string,
  type: KeyType,
  { issuer: promised, ...request }: WantedCertificate & { now: Date },
): Promise<Credential> {
  const [certificateFile, privateKeyFile] = [`${prefix}certificate.pem`, `${prefix}private-key.pem`] as const;
  const privateKey = await ensurePrivateKey(privateKeyFile, type);
  const issuer = await promised;
  const signed = { ...request, ...(issuer && { issuer }), path: certificateFile, key: privateKey };
  return { certificate: await ensureCertificate(signed), certificateFile, privateKey, privateKeyFile };
}

const ofSandboxBank = (name: string): Record<string, string[]>[] => [country, { O: ['Sandbox Bank'] }, { CN: [name] }];

async function toSigningKey(jwk: JsonWebKey): Promise<SigningKey> {
  const [key] = await parseSigningKeys({ keys: [jwk] });
  if (!key) throw new TypeError('A key set for one key must contain one key.');
  return key;
}

const toPrivateJwk = ({ privateKey, certificate }: Credential): JsonWebKey =>
  createPrivateJwk({ key: privateKey, certificate });

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

async function writeJson(path: string, content: object): Promise<string> {
  await writeFileAtomically(path, `${JSON.stringify(content, undefined, 2)}\n`, privateMode);
  return path;
}
