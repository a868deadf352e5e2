import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Config } from '#libs/config';
import type { TppDescription } from '../../support/apps/sandbox.js';
import { ensureTrustFramework } from '../../support/apps/trust.js';
import { startTestSandbox } from '../../support/start-test-sandbox.js';
import { startKeyStore } from './key-store.js';
import { MovableClock, pemOf, type RegisteringTpp } from './registration-values.js';
import { toTestSigningKey } from '../../support/a-signing-key.js';
import { RegistrationWorld } from './registration-world.js';

/**
 * Starts the sandbox with all its apps, whose clock the tests move, and a key store beside the directory's.
 * @param options.environment settings by the names of their environment variables
 */
export async function startRegistrationWorld(
  options: { environment?: Record<string, string> } = {},
): Promise<RegistrationWorld> {
  const keyStore = await startKeyStore();
  const clock = new MovableClock();
  const trusting = (config: Config): Config =>
    new Config({
      ...config,
      directory: {
        ...config.directory,
        trusted: [
          {
            ...config.directory.trusted[0],
            keyHosts: [
              ...config.directory.trusted[0].keyHosts,
              `localhost:${keyStore.port}`,
              '127.0.0.1:1',
              '10.0.0.1',
            ],
          },
        ],
      },
    });
  const sandbox = await startTestSandbox({
    environment: { ...options.environment },
    configure: trusting,
    clocks: { api: clock, token: clock, authorize: clock },
  });
  const trust = await ensureTrustFramework({ directory: sandbox.directory, now: new Date() });
  keyStore.useCertificate({ cert: trust.server.certificate, key: pemOf(trust.server.privateKey) });
  const [tpp, otherTpp] = await Promise.all(sandbox.description.tpps.map(readTpp));
  if (tpp === undefined || otherTpp === undefined) throw new Error('The sandbox has two TPPs.');
  return new RegistrationWorld({
    sandbox: { ...sandbox, config: trusting(sandbox.config) },
    trust,
    keyStore,
    clock,
    tpp,
    otherTpp,
  });
}

const read = (file: string): Promise<string> => readFile(resolve(file), 'utf8');

async function readTpp(description: TppDescription): Promise<RegisteringTpp> {
  return {
    orgId: description.org_id,
    softwareId: description.software_id,
    redirectUris: description.redirect_uris,
    certificate: { cert: await read(description.transport_cert_file), key: await read(description.transport_key_file) },
    signingKey: toTestSigningKey(description.signing_kid, createPrivateKey(await read(description.signing_key_file))),
    softwareStatement: (await read(description.software_statement_file)).trim(),
  };
}
