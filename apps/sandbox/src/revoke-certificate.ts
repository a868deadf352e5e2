import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readDescription } from './sandbox-description.js';
import { SandboxError } from './sandbox-error.js';
import { RevokedCertificates } from './trust/revoked-certificates.js';

/**
 * Revokes a certificate of a sandbox that runs or has run.
 * @param options.directory the sandbox's folder
 * @param options.file the certificate, in PEM
 * @returns its serial number, hexadecimal
 * @throws SandboxError if there is no sandbox yet, or the file is not a certificate
 */
export async function revokeCertificate(options: { directory: string; file: string; now: Date }): Promise<string> {
  const { directory, file, now } = options;
  await readDescription(directory);
  return new RevokedCertificates(directory).revoke(await readCertificate(file), now);
}

async function readCertificate(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new SandboxError(`--certificate ${file} cannot be read.`, { cause });
  });
  try {
    return new X509Certificate(text).toString();
  } catch (cause) {
    throw new SandboxError(`--certificate ${file} is not a PEM certificate.`, { cause });
  }
}
