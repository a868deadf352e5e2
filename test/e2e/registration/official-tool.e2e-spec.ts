import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { distinguishedNameOf, formatDistinguishedName } from '#libs/certificates';
import type { RegistrationWorld } from './registration-world.js';
import { startRegistrationWorld } from './start-registration-world.js';

/**
 * Open Banking's own conformance tool for dynamic client registration (github.com/OpenBankingUK/conformance-dcr, in Go:
 * `go build ./cmd/cli`). By hand: CONFORMANCE_DCR=<the program> npm run jest -- test/e2e/registration/official-tool
 */
const program = process.env['CONFORMANCE_DCR'];
const describeTool = program === undefined ? describe.skip : describe;

let world: RegistrationWorld | undefined;

beforeAll(async () => {
  if (program !== undefined) world = await startRegistrationWorld();
});

afterAll(async () => {
  await world?.stop();
});

interface Outcome {
  exitCode: number;
  output: string;
}

describeTool('the official conformance tool', () => {
  const runs = ['3.2', '3.3'].flatMap((version) =>
    ['tls_client_auth', 'private_key_jwt', 'client_secret_jwt', 'client_secret_basic'].map((method) => [
      version,
      method,
    ]),
  );

  it.each(runs)('DCR-T127 passes all of specification %s with %s', async (version = '', method = '') => {
    const { exitCode, output } = await run(version, method);
    // Words in colour have escape sequences around them, and so no word boundary.
    const passed = output.match(/PASS/g)?.length ?? 0;
    const failed = output.match(/FAIL/g)?.length ?? 0;
    if (exitCode !== 0) process.stderr.write(output);
    expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: 0 });
    // Ten scenarios, 34 cases, 79 steps: a tool that stopped early would have fewer.
    expect(passed).toBeGreaterThanOrEqual(79);
  });
});

async function run(version: string, method: string): Promise<Outcome> {
  if (world === undefined || program === undefined) throw new Error('The sandbox did not start.');
  const { sandbox, tpp, trust, keyStore } = world;
  // The tool uses the first method that discovery lists, so that each method is listed alone here; the rest is the
  // service's own.
  const metadata = (await world.call(sandbox.description.discovery_uri)).json();
  const wellknown_endpoint = keyStore.serveJson(`${method}.json`, {
    ...metadata,
    token_endpoint_auth_methods_supported: [method],
  });
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const config = {
      spec_version: version,
      wellknown_endpoint,
      ssa: tpp.softwareStatement,
      kid: tpp.signingKey.kid,
      aud: sandbox.config.signing.organisationId,
      redirect_uris: tpp.redirectUris,
      issuer: tpp.softwareId,
      private_key: tpp.signingKey.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      transport_root_cas: [trust.authority.certificate],
      transport_cert: tpp.certificate.cert,
      transport_key: tpp.certificate.key,
      // Go leaves organizationIdentifier out of the subject that it writes.
      transport_cert_subject_dn: formatDistinguishedName(
        distinguishedNameOf(new X509Certificate(tpp.certificate.cert)),
      ),
      get_implemented: true,
      put_implemented: true,
      delete_implemented: true,
      environment: 'sandbox',
      brand: 'Sandbox',
    };
    const file = join(folder, 'config.json');
    await writeFile(file, JSON.stringify(config));
    return await execute(program, ['-config-path', file], trust.authority.certificateFile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param authorities Go's system authorities: the tool reads discovery under those */
function execute(file: string, parameters: string[], authorities: string): Promise<Outcome> {
  const env = { ...process.env, SSL_CERT_FILE: authorities };
  return new Promise((resolve) => {
    execFile(file, parameters, { maxBuffer: 10_000_000, env }, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ exitCode, output: `${stdout}${stderr}` });
    });
  });
}
