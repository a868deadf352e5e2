import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryRoot } from '#libs/command-line';
import { customers } from './bank/customers.js';
import { errorCode, SandboxError } from './sandbox-error.js';
import { portalAddress, sandboxAddress, type SandboxPorts } from './sandbox-ports.js';
import { signingKeyId, softwareFiles } from './trust/software-credentials.js';
import type { Software } from './trust/software.js';
import type { TrustFramework } from './trust/trust-framework.js';
import { publicMode, writeFileAtomically } from './write-file-atomically.js';

/** A TPP as other programs find it in sandbox.json. Paths are relative to the repository root. */
export interface TppDescription {
  name: string;
  org_id: string;
  software_id: string;
  redirect_uris: string[];
  transport_cert_file: string;
  transport_key_file: string;
  signing_key_file: string;
  signing_kid: string;
  jwks_uri: string;
  software_statement_file: string;
}

/** Content of sandbox.json: all that another program needs to use the sandbox. */
export interface SandboxDescription {
  issuer: string;
  /** the bank's id at the directory: `iss` in its signatures, and an `aud` of registrations */
  organisation_id: string;
  discovery_uri: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string;
  base_url: string;
  /** of the Read/Write API, as in its paths */
  read_write_versions: readonly string[];
  jwks_uri: string;
  ca_file: string;
  directory: { base_url: string; jwks_uri: string };
  /** a server of the bank's own, which may introspect tokens */
  resource_server: { introspection_endpoint: string; transport_cert_file: string; transport_key_file: string };
  /** replaces the bank's app on the phone of a customer who approves by push; absent with another bank */
  bank_app?: { url: string };
  /** the sandbox portal, and the TPP that it is */
  portal: { url: string; tpp: TppDescription };
  tpps: TppDescription[];
  /** of the sandbox's own bank */
  customers: {
    /** the bank's id, as the operator's commands take it */
    psu_id: string;
    username: string;
    password: string;
    /** empty for customers who approve in the bank's app */
    one_time_code: string;
    approves_by: 'code' | 'push';
    accounts: { scheme_name: string; identification: string; name: string }[];
  }[];
}

/** @returns what sandbox.json says of a sandbox on these ports with these TPPs */
export function describeSandbox(options: {
  directory: string;
  ports: SandboxPorts;
  trust: Pick<TrustFramework, 'authority' | 'resourceServer' | 'secrets'>;
  software: readonly Software[];
  readWriteVersions: readonly string[];
  /** BANK_URL names it; the sandbox does not know its customers */
  hasOtherBank: boolean;
}): SandboxDescription {
  const { directory, ports, trust, software, readWriteVersions, hasOtherBank } = options;
  const authUrl = sandboxAddress(ports.authorize);
  const baseUrl = sandboxAddress(ports.api);
  const directoryUrl = sandboxAddress(ports.directory);
  const issuer = `${baseUrl}/open-banking/v3.0`;
  const portal = software.find(({ isPortal }) => isPortal);
  if (portal === undefined) throw new TypeError('The description of the sandbox must have a TPP for its portal.');
  return {
    issuer,
    organisation_id: trust.secrets.organisationId,
    discovery_uri: `${issuer}/.well-known/openid-configuration`,
    authorization_endpoint: `${authUrl}/oauth2/authorize`,
    token_endpoint: `${sandboxAddress(ports.token)}/oauth2/token`,
    registration_endpoint: `${baseUrl}/open-banking/v3.2/register`,
    base_url: baseUrl,
    read_write_versions: readWriteVersions,
    jwks_uri: `${authUrl}/oauth2/jwks`,
    ca_file: fromRepositoryRoot(trust.authority.certificateFile),
    directory: { base_url: directoryUrl, jwks_uri: `${directoryUrl}/directory.jwks` },
    resource_server: {
      introspection_endpoint: `${sandboxAddress(ports.token)}/oauth2/introspect`,
      transport_cert_file: fromRepositoryRoot(trust.resourceServer.certificateFile),
      transport_key_file: fromRepositoryRoot(trust.resourceServer.privateKeyFile),
    },
    ...(!hasOtherBank && { bank_app: { url: `http://localhost:${ports.bankApp}` } }),
    portal: { url: portalAddress(ports.portal), tpp: describeTpp(portal, directory, directoryUrl) },
    tpps: software
      .filter(({ isPortal }) => isPortal !== true)
      .map((entry) => describeTpp(entry, directory, directoryUrl)),
    customers: (hasOtherBank ? [] : customers).map(
      ({ psuId, username, password, oneTimeCode, approvesBy, accounts }) => ({
        psu_id: psuId,
        username,
        password,
        one_time_code: oneTimeCode,
        approves_by: approvesBy === 'Push' ? ('push' as const) : ('code' as const),
        accounts: accounts.map(({ schemeName, identification, name }) => ({
          scheme_name: schemeName,
          identification,
          name,
        })),
      }),
    ),
  };
}

/** @returns the entry of one TPP */
export function describeTpp(software: Software, directory: string, directoryUrl: string): TppDescription {
  const files = softwareFiles(directory, software.softwareId);
  return {
    name: software.name,
    org_id: software.orgId,
    software_id: software.softwareId,
    redirect_uris: software.redirectUris,
    transport_cert_file: fromRepositoryRoot(files.transportCertificate),
    transport_key_file: fromRepositoryRoot(files.transportKey),
    signing_key_file: fromRepositoryRoot(files.signingKey),
    signing_kid: signingKeyId(software),
    jwks_uri: `${directoryUrl}/${software.orgId}/${software.softwareId}.jwks`,
    software_statement_file: fromRepositoryRoot(files.softwareStatement),
  };
}

/** @returns the path as sandbox.json names it: relative to the repository root, with slashes */
function fromRepositoryRoot(path: string): string {
  return relative(repositoryRoot(), path).replaceAll('\\', '/');
}

const descriptionFile = (directory: string): string => join(directory, 'sandbox.json');

/** The lock under which the register of TPPs and sandbox.json change together. */
export const descriptionLock = (directory: string): string => join(directory, 'sandbox.json.lock');

export async function writeDescription(directory: string, description: SandboxDescription): Promise<void> {
  await writeFileAtomically(descriptionFile(directory), `${JSON.stringify(description, undefined, 2)}\n`, publicMode);
}

/** @throws SandboxError if the sandbox has never been started */
export async function readDescription(directory: string): Promise<SandboxDescription> {
  try {
    return JSON.parse(await readFile(descriptionFile(directory), 'utf8')) as SandboxDescription;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new SandboxError(`There is no sandbox in ${directory} yet: run "npm start" once.`);
  }
}
