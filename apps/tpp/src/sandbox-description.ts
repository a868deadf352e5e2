import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { repositoryRoot } from '#libs/command-line';
import type { ApiVersion } from './read-write/api-version.js';
import { JourneyError } from './journey-error.js';

/** A TPP as sandbox.json describes it; files are named by absolute paths. */
export interface SandboxTpp {
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

/** A customer of the sandbox bank, with credentials. */
export interface SandboxCustomer {
  username: string;
  password: string;
  /** empty for customers who approve in the bank's app */
  one_time_code: string;
  accounts: { scheme_name: string; identification: string; name: string }[];
}

/** The members of sandbox.json that a TPP needs. */
export interface SandboxDescription {
  discovery_uri: string;
  /** versions of the Read/Write API that it serves */
  read_write_versions: ApiVersion[];
  ca_file: string;
  directory: { base_url: string; jwks_uri: string };
  /** replaces the app on a customer's phone; absent with another bank */
  bank_app?: { url: string };
  /** the sandbox portal, and the TPP that it is */
  portal: { url: string; tpp: SandboxTpp };
  tpps: SandboxTpp[];
  customers: SandboxCustomer[];
}

/**
 * Reads what a sandbox writes for other programs.
 * @param directory the sandbox's folder, `.sandbox` by default
 * @throws JourneyError if there is no sandbox
 */
export async function readSandboxDescription(directory: string): Promise<SandboxDescription> {
  const text = await readFile(join(directory, 'sandbox.json'), 'utf8').catch((cause: unknown) => {
    throw new JourneyError(`there is no sandbox in ${directory}: run "npm start" first`, { cause });
  });
  const description = JSON.parse(text) as SandboxDescription;
  return {
    ...description,
    ca_file: absolute(description.ca_file),
    portal: { ...description.portal, tpp: withAbsoluteFiles(description.portal.tpp, absolute) },
    tpps: description.tpps.map((tpp) => withAbsoluteFiles(tpp, absolute)),
  };
}

/** @param absolute makes a path absolute */
export function withAbsoluteFiles(tpp: SandboxTpp, absolute: (path: string) => string): SandboxTpp {
  return {
    ...tpp,
    transport_cert_file: absolute(tpp.transport_cert_file),
    transport_key_file: absolute(tpp.transport_key_file),
    signing_key_file: absolute(tpp.signing_key_file),
    software_statement_file: absolute(tpp.software_statement_file),
  };
}

function absolute(path: string): string {
  return resolve(repositoryRoot(), path);
}
