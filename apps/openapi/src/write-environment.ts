import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createEnvironment } from './create-collection.js';

/** The members of sandbox.json that the collection needs. */
interface SandboxFile {
  readonly issuer: string;
  readonly read_write_versions: readonly string[];
  readonly base_url: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly ca_file: string;
  readonly tpps: readonly {
    readonly org_id: string;
    readonly software_id: string;
    readonly redirect_uris: readonly string[];
    readonly transport_cert_file: string;
    readonly transport_key_file: string;
    readonly signing_key_file: string;
    readonly signing_kid: string;
    readonly software_statement_file: string;
  }[];
  readonly customers: readonly {
    readonly username: string;
    readonly password: string;
    readonly one_time_code: string;
    readonly approves_by: 'code' | 'push';
  }[];
}

/**
 * Writes the environment of the collection for the first TPP of a sandbox.
 * @param sandboxFile its sandbox.json; paths in it are relative to the current folder
 * @param target file of the environment
 * @returns its path
 * @throws TypeError if there is no such file, or no TPP in it
 */
export async function writeEnvironment(
  sandboxFile: string,
  target = 'apps/openapi/bruno/environments/sandbox.bru',
): Promise<string> {
  const text = await readFile(sandboxFile, 'utf8').catch((cause: unknown) => {
    throw new TypeError(`${sandboxFile} cannot be read: start the sandbox (npm start), or name its sandbox.json.`, {
      cause,
    });
  });
  const sandbox = JSON.parse(text) as SandboxFile;
  const [tpp] = sandbox.tpps;
  if (tpp === undefined) throw new TypeError(`${sandboxFile} names no TPP.`);
  const customer = sandbox.customers.find((each) => each.approves_by === 'code');
  const [base, auth, token] = [sandbox.base_url, sandbox.authorization_endpoint, sandbox.token_endpoint].map(
    (address) => new URL(address),
  ) as [URL, URL, URL];
  const environment = createEnvironment({
    version: sandbox.read_write_versions[0] ?? '',
    base_url: base.origin,
    auth_url: auth.origin,
    token_url: token.origin,
    base_url_host: base.host,
    token_url_host: token.host,
    issuer: sandbox.issuer,
    ca: resolve(sandbox.ca_file),
    transport_certificate: resolve(tpp.transport_cert_file),
    transport_key: resolve(tpp.transport_key_file),
    signing_key: resolve(tpp.signing_key_file),
    signing_kid: tpp.signing_kid,
    software_statement: resolve(tpp.software_statement_file),
    org_id: tpp.org_id,
    software_id: tpp.software_id,
    redirect_uri: tpp.redirect_uris[0] ?? '',
    ...(customer !== undefined && {
      customer: customer.username,
      customer_password: customer.password,
      customer_code: customer.one_time_code,
    }),
  });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, environment);
  return target;
}
