import { join } from 'node:path';
import { ensureFolder, publicMode, writeFileAtomically } from '../write-file-atomically.js';
import { ensureCertificate } from './ensure-certificate.js';
import type { RevocationAddresses } from './issue-certificate.js';
import { createDirectoryJwk } from './json-web-keys.js';
import { ensurePrivateKey } from './key-pair.js';
import { organisationNameOf, type Software } from './software.js';
import type { SoftwareRegistry } from './software-registry.js';
import { createSoftwareStatement } from './software-statement.js';
import type { TrustFramework } from './trust-framework.js';

/** organizationIdentifier (X.520), which carries the PSP's authorisation number (ETSI TS 119 495 s5.2.1). */
const organizationIdentifier = '2.5.4.97';

const certificateDays = 397;

/** The files that a TPP works with. */
export interface SoftwareFiles {
  transportCertificate: string;
  transportKey: string;
  signingKey: string;
  signingCertificate: string;
  softwareStatement: string;
}

/** @returns where the files of a piece of software are */
export function softwareFiles(directory: string, softwareId: string): SoftwareFiles {
  const folder = join(directory, 'tpps', softwareId);
  return {
    transportCertificate: join(folder, 'transport-certificate.pem'),
    transportKey: join(folder, 'transport-private-key.pem'),
    signingKey: join(folder, 'signing-private-key.pem'),
    signingCertificate: join(folder, 'signing-certificate.pem'),
    softwareStatement: join(folder, 'software-statement.jwt'),
  };
}

/**
 * Creates or renews a TPP's keys, certificates and software statement, and registers the public part at the directory.
 * @param options.directory the sandbox's folder
 * @param options.trust issues the certificates, and signs the statement
 * @returns the software as now registered
 */
export async function ensureSoftwareCredentials(options: {
  software: Software;
  directory: string;
  directoryUrl: string;
  trust: Pick<TrustFramework, 'authority' | 'directorySigningKey'>;
  registry: SoftwareRegistry;
  now: Date;
}): Promise<Software> {
  const { software, directory, directoryUrl, trust, registry, now } = options;
  const files = softwareFiles(directory, software.softwareId);
  await ensureFolder(join(files.softwareStatement, '..'));
  const [transportKey, signingKey] = await Promise.all([
    // Under TLS 1.2 the service offers suites with RSA certificates, and clients must use the same.
    ensurePrivateKey(files.transportKey, 'rsa'),
    ensurePrivateKey(files.signingKey, software.keyType),
  ]);
  const revocation = revocationAddresses(directoryUrl);
  const issue = {
    issuer: trust.authority,
    subject: organisationSubject(software),
    days: certificateDays,
    now,
    revocation,
  };
  const [transport, signing] = await Promise.all([
    ensureCertificate({ ...issue, path: files.transportCertificate, profile: 'transport', key: transportKey }),
    ensureCertificate({ ...issue, path: files.signingCertificate, profile: 'signing', key: signingKey }),
  ]);
  const registered = {
    ...software,
    keys: [
      createDirectoryJwk({ key: signingKey, use: 'sig', certificate: signing }),
      createDirectoryJwk({ key: transportKey, use: 'tls', certificate: transport }),
    ],
  };
  await registry.save(registered);
  const statement = await createSoftwareStatement({
    software: registered,
    directoryUrl,
    key: trust.directorySigningKey,
    now,
  });
  await writeFileAtomically(files.softwareStatement, statement, publicMode);
  return registered;
}

/** @returns where the directory's server publishes the revocations of the sandbox's authority */
export function revocationAddresses(directoryUrl: string): RevocationAddresses {
  return { list: `${directoryUrl}/certificate-authority.crl`, responder: `${directoryUrl}/ocsp` };
}

/** The subject of an OBWAC: the organisation, with its own id (not the software's) as common name. */
function organisationSubject(software: Software): Record<string, string[]>[] {
  const { orgId, registrationId } = software;
  return [
    { C: ['GB'] },
    { O: [organisationNameOf(software)] },
    { [organizationIdentifier]: [`PSDGB-FCA-${registrationId}`] },
    { CN: [orgId] },
  ];
}

/** @returns `kid` of the key the software signs with */
export function signingKeyId(software: Software): string {
  const key = software.keys.find(({ use }) => use === 'sig');
  if (!key) throw new TypeError(`Software ${software.softwareId} has no signing key.`);
  return key.kid;
}
