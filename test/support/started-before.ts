import { join } from 'node:path';
import { enrolRegisteredTpps } from '../../apps/sandbox/src/enrol-tpps.js';
import { describeSandbox } from '../../apps/sandbox/src/sandbox-description.js';
import { defaultPorts, portalRedirectUri, sandboxAddress } from '../../apps/sandbox/src/sandbox-ports.js';
import { ensureTrustFramework } from '../../apps/sandbox/src/trust/trust-framework.js';
import { copyMigratedCluster } from './migrated-cluster.js';
import { copyFolder, ensureShared } from './shared-by-suites.js';

/**
 * Makes a new folder one in which a sandbox has been started before, on other ports: a first start takes seconds of
 * computing for keys and migrations.
 * @param directory an empty folder
 */
export async function asStartedBefore(directory: string): Promise<void> {
  await copyCredentials(directory);
  await copyMigratedCluster(join(directory, 'postgres'));
}

/**
 * Puts the keys and certificates of a sandbox and of its TPPs into a folder, which are the same for every suite of a
 * run.
 */
export async function copyCredentials(directory: string): Promise<void> {
  const shared = await ensureShared('credentials', makeCredentials);
  await copyFolder(`${shared}/.`, directory);
}

async function makeCredentials(directory: string): Promise<void> {
  const now = new Date();
  const ports = defaultPorts;
  const trust = await ensureTrustFramework({ directory, now });
  await enrolRegisteredTpps({
    directory,
    directoryUrl: sandboxAddress(ports.directory),
    trust,
    portalRedirectUri: portalRedirectUri(ports.portal),
    describe: (software) => describeSandbox({ directory, ports, trust, software, readWriteVersions: ['3.1'] }),
    now,
  });
}
