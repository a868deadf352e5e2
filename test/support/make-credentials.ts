import { enrolRegisteredTpps } from '../../apps/sandbox/src/enrol-tpps.js';
import { describeSandbox } from '../../apps/sandbox/src/sandbox-description.js';
import { defaultPorts, portalRedirectUri, sandboxAddress } from '../../apps/sandbox/src/sandbox-ports.js';
import { ensureTrustFramework } from '../../apps/sandbox/src/trust/trust-framework.js';

/** Fills a folder with the keys and certificates of a sandbox and of its TPPs. */
export async function makeCredentials(directory: string): Promise<void> {
  const now = new Date();
  const ports = defaultPorts;
  const trust = await ensureTrustFramework({ directory, now });
  await enrolRegisteredTpps({
    directory,
    directoryUrl: sandboxAddress(ports.directory),
    trust,
    portalRedirectUri: portalRedirectUri(ports.portal),
    describe: (software) =>
      describeSandbox({ directory, ports, trust, software, hasOtherBank: false, readWriteVersions: ['3.1', '4.0'] }),
    now,
  });
}
