import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { repositoryRoot } from '#libs/command-line';
import {
  readSandboxDescription,
  type SandboxCustomer,
  type SandboxTpp,
  withAbsoluteFiles,
} from '../sandbox-description.js';
import { JourneyError } from '../journey-error.js';
import type { Purpose } from '../purpose.js';
import { addressOf, type ApiVersion, defaultVersion } from '../read-write/api-version.js';

/** A bank and a TPP. Files are named by absolute paths. */
export interface Profile {
  tpp: SandboxTpp;
  discoveryUri: string;
  /** version of the Read/Write API where none is named */
  version: ApiVersion;
  /** only in a sandbox: versions that it serves */
  served?: readonly ApiVersion[];
  /** base of each API in version 3.1, by the scope of its tokens */
  addresses: Readonly<Record<Purpose, string>>;
  /** PEM file of the authorities to trust; undefined: those of Node */
  caFile: string | undefined;
  /** PEM file of the authority that issued our own certificate, where it is known */
  clientCaFile: string | undefined;
  /** key set that verifies software statements, where it is known */
  directoryJwksUri: string | undefined;
  clientId: string | undefined;
  /** customers whose sign-in can be automated: the sandbox's */
  customers: readonly SandboxCustomer[];
  /** where a customer of the sandbox approves by push */
  bankApp?: string;
  /** only in a sandbox: explained refusals */
  refusalsUrl: string | undefined;
  stateFolder: string;
}

/** Content of a profile file. Paths in it are relative to the file. */
interface ProfileFile {
  discovery_uri: string;
  payments_url?: string;
  account_access_url?: string;
  funds_confirmation_url?: string;
  ca_file?: string;
  client_ca_file?: string;
  directory_jwks_uri?: string;
  client_id?: string;
  tpp: SandboxTpp;
}

/**
 * @param options.profileFile describes a deployment; default: the sandbox
 * @param options.tppName name or software id of one of the sandbox's TPPs; the first one by default
 * @param options.stateFolder another folder for the stored state
 * @throws JourneyError
 */
export async function loadProfile(options: {
  profileFile?: string | undefined;
  tppName?: string | undefined;
  stateFolder?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}): Promise<Profile> {
  const { profileFile, tppName, stateFolder, env } = options;
  const profile =
    profileFile === undefined
      ? await sandboxProfile(resolve(repositoryRoot(), env['SANDBOX_DIRECTORY'] || '.sandbox'), tppName)
      : await fileProfile(resolve(profileFile));
  return stateFolder === undefined ? profile : { ...profile, stateFolder: resolve(stateFolder) };
}

async function sandboxProfile(directory: string, tppName: string | undefined): Promise<Profile> {
  const sandbox = await readSandboxDescription(directory);
  const tpp =
    tppName === undefined
      ? sandbox.tpps[0]
      : sandbox.tpps.find(({ name, software_id: id }) => name === tppName || id === tppName);
  if (!tpp) {
    const names = sandbox.tpps.map(({ name }) => `"${name}"`).join(', ');
    throw new JourneyError(`the sandbox has no TPP ${tppName ?? ''}; it has ${names}`);
  }
  return {
    tpp,
    discoveryUri: sandbox.discovery_uri,
    version: defaultVersion(sandbox.read_write_versions),
    served: sandbox.read_write_versions,
    addresses: addressesAt(sandbox.discovery_uri),
    caFile: sandbox.ca_file,
    clientCaFile: sandbox.ca_file,
    directoryJwksUri: sandbox.directory.jwks_uri,
    clientId: undefined,
    customers: sandbox.customers,
    ...(sandbox.bank_app !== undefined && { bankApp: sandbox.bank_app.url }),
    refusalsUrl: `${sandbox.directory.base_url}/sandbox/refusals`,
    stateFolder: join(directory, 'tpp', tpp.software_id),
  };
}

async function fileProfile(path: string): Promise<Profile> {
  const file = parseProfileFile(await readText(path), path);
  const absolute = (name: string): string => resolve(dirname(path), name);
  return {
    tpp: withAbsoluteFiles(file.tpp, absolute),
    discoveryUri: file.discovery_uri,
    version: '3.1',
    addresses: addressesAt(file.discovery_uri, file),
    caFile: file.ca_file === undefined ? undefined : absolute(file.ca_file),
    clientCaFile: file.client_ca_file === undefined ? undefined : absolute(file.client_ca_file),
    directoryJwksUri: file.directory_jwks_uri,
    clientId: file.client_id,
    customers: [],
    refusalsUrl: undefined,
    stateFolder: join(dirname(path), `.tpp-${basename(path, extname(path))}`),
  };
}

function addressesAt(discoveryUri: string, own: Partial<ProfileFile> = {}): Profile['addresses'] {
  return {
    payments: own.payments_url ?? addressOf('payments', discoveryUri, '3.1'),
    accounts: own.account_access_url ?? addressOf('accounts', discoveryUri, '3.1'),
    fundsconfirmations: own.funds_confirmation_url ?? addressOf('fundsconfirmations', discoveryUri, '3.1'),
  };
}

async function readText(path: string): Promise<string> {
  if (!existsSync(path)) throw new JourneyError(`there is no profile file ${path}`);
  return readFile(path, 'utf8');
}

const tppMembers = [
  'name',
  'org_id',
  'software_id',
  'transport_cert_file',
  'transport_key_file',
  'signing_key_file',
  'signing_kid',
  'jwks_uri',
  'software_statement_file',
] as const;

function parseProfileFile(text: string, path: string): ProfileFile {
  let parsed: Partial<ProfileFile>;
  try {
    parsed = JSON.parse(text) as Partial<ProfileFile>;
  } catch (cause) {
    throw new JourneyError(`${path} is not JSON: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
  const tpp: Partial<SandboxTpp> = parsed?.tpp ?? {};
  const missing = [
    ...(isAddress(parsed?.discovery_uri) ? [] : ['discovery_uri']),
    ...tppMembers.filter((name) => typeof tpp[name] !== 'string').map((name) => `tpp.${name}`),
    ...(Array.isArray(tpp.redirect_uris) && tpp.redirect_uris.length > 0 ? [] : ['tpp.redirect_uris']),
  ];
  if (missing.length > 0) throw new JourneyError(`${path} lacks ${missing.join(', ')}`);
  return parsed as ProfileFile;
}

function isAddress(text: unknown): boolean {
  return typeof text === 'string' && URL.canParse(text);
}
