import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withInstanceLock } from '../instance-lock.js';
import { ensureFolder, publicMode, writeFileAtomically } from '../write-file-atomically.js';

/** A certificate that the sandbox's authority has revoked. */
export interface RevokedCertificate {
  /** hexadecimal, as in the certificate */
  serialNumber: string;
  /** RFC 3339 */
  revokedAt: string;
}

/**
 * The revoked certificates of the sandbox's authority, in a file beside its key, so that a running sandbox sees changes
 * at once.
 */
export class RevokedCertificates {
  readonly #folder: string;

  /** @param directory the sandbox's folder */
  constructor(directory: string) {
    this.#folder = join(directory, 'ca');
  }

  /** @returns all, in the order of their revocation */
  async list(): Promise<RevokedCertificate[]> {
    const text = await readFile(this.#file, 'utf8').catch(() => '[]'); // absent: nothing was ever revoked
    return JSON.parse(text) as RevokedCertificate[];
  }

  /**
   * Revokes a certificate; does nothing if it is already revoked.
   * @param pem the certificate
   * @returns its serial number
   */
  async revoke(pem: string, now: Date): Promise<string> {
    const serialNumber = new X509Certificate(pem).serialNumber.toLowerCase();
    await ensureFolder(this.#folder);
    // Two simultaneous revocations must not overwrite each other.
    await withInstanceLock(`${this.#file}.lock`, async () => {
      const revoked = await this.list();
      if (revoked.some((entry) => entry.serialNumber === serialNumber)) return;
      const all = [...revoked, { serialNumber, revokedAt: now.toISOString() }];
      await writeFileAtomically(this.#file, `${JSON.stringify(all, undefined, 2)}\n`, publicMode);
    });
    return serialNumber;
  }

  get #file(): string {
    return join(this.#folder, 'revoked-certificates.json');
  }
}
