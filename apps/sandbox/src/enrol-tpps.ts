import { withInstanceLock } from './instance-lock.js';
import { ensureSoftwareCredentials } from './trust/software-credentials.js';
import { createPortalSoftware, createSoftware, type Software } from './trust/software.js';
import { SoftwareRegistry } from './trust/software-registry.js';
import { ensureTrustFramework, type TrustFramework } from './trust/trust-framework.js';
import {
  describeTpp,
  descriptionLock,
  readDescription,
  writeDescription,
  type SandboxDescription,
  type TppDescription,
} from './sandbox-description.js';

/** What a TPP is made from. */
type TppRequest = Omit<Parameters<typeof createSoftware>[0], 'now'>;

/** The TPPs of a new sandbox. Registration refuses localhost, so they have proper host names. */
const defaultTpps: readonly TppRequest[] = [
  { name: 'TPP One', redirectUris: ['https://tpp-one.example.com/callback'], keyType: 'rsa' },
  { name: 'TPP Two', redirectUris: ['https://tpp-two.example.com/callback'], keyType: 'rsa' },
];

/**
 * Brings the files of all registered TPPs up to date (a new sandbox gets two and the portal's), then writes
 * sandbox.json.
 * @param options.portalRedirectUri of the portal's TPP, in this run
 * @param options.describe makes the content of sandbox.json from the TPPs
 * @returns what was written
 */
export async function enrolRegisteredTpps(options: {
  directory: string;
  directoryUrl: string;
  trust: TrustFramework;
  portalRedirectUri: string;
  describe: (software: readonly Software[]) => SandboxDescription;
  now: Date;
}): Promise<SandboxDescription> {
  const { directory, directoryUrl, trust, describe, now } = options;
  const registry = new SoftwareRegistry(directory);
  return withInstanceLock(descriptionLock(directory), async () => {
    const known = await registry.list();
    const tpps = known.filter(({ isPortal }) => isPortal !== true);
    const all = [
      ...(tpps.length > 0 ? tpps : createDefaultSoftware(now)),
      withRedirectUri(
        known.find(({ isPortal }) => isPortal),
        options.portalRedirectUri,
        now,
      ),
    ];
    const software = await Promise.all(
      all.map((entry) => ensureSoftwareCredentials({ software: entry, directory, directoryUrl, trust, registry, now })),
    );
    const description = describe(software);
    await writeDescription(directory, description);
    return description;
  });
}

/**
 * Enrols one more TPP in a sandbox that runs or has run, and appends it to sandbox.json.
 * @param directory the sandbox's folder
 * @throws SandboxError if there is no sandbox yet, or the request is not one
 */
export async function enrolTpp(directory: string, request: TppRequest, now: Date): Promise<TppDescription> {
  const created = createSoftware({ ...request, now });
  await readDescription(directory);
  const trust = await ensureTrustFramework({ directory, now });
  return withInstanceLock(descriptionLock(directory), async () => {
    const description = await readDescription(directory);
    const directoryUrl = description.directory.base_url;
    const registry = new SoftwareRegistry(directory);
    const options = { software: created, directory, directoryUrl, trust, registry, now };
    const software = await ensureSoftwareCredentials(options);
    const tpp = describeTpp(software, directory, directoryUrl);
    await writeDescription(directory, { ...description, tpps: [...description.tpps, tpp] });
    return tpp;
  });
}

/** The portal may have another port than in the previous run. */
function withRedirectUri(portal: Software | undefined, redirectUri: string, now: Date): Software {
  return portal === undefined ? createPortalSoftware(redirectUri, now) : { ...portal, redirectUris: [redirectUri] };
}

function createDefaultSoftware(now: Date): Software[] {
  // A millisecond apart: the register is in the order of creation.
  return defaultTpps.map((tpp, index) => createSoftware({ ...tpp, now: new Date(now.getTime() + index) }));
}
