import { enrolRegisteredTpps, describeSandbox } from './apps/sandbox.js';
import { defaultPorts, portalRedirectUri, sandboxAddress } from './apps/ports.js';
import { ensureTrustFramework } from './apps/trust.js';

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
