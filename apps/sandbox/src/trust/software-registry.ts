import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../sandbox-error.js';
import { ensureFolder, publicMode, writeFileAtomically } from '../write-file-atomically.js';
import type { Software } from './software.js';

/**
 * The directory's register: one file per piece of software. Nothing is kept in memory, so a TPP that another process
 * enrols is known at once.
 */
export class SoftwareRegistry {
  readonly #folder: string;

  /** @param directory the sandbox's folder */
  constructor(directory: string) {
    this.#folder = join(directory, 'directory', 'software');
  }

  /** @returns the software of that id and organisation; `undefined` if there is none */
  async find(orgId: string, softwareId: string): Promise<Software | undefined> {
    // Ids are letters and digits only, so this can name no other file.
    if (!/^[0-9A-Za-z]{22}$/.test(softwareId)) return undefined;
    const software = await this.#read(`${softwareId}.json`);
    return software?.orgId === orgId ? software : undefined;
  }

  /** @returns all software, the oldest first */
  async list(): Promise<Software[]> {
    await ensureFolder(this.#folder);
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.json'));
    const all = await Promise.all(names.map((name) => this.#read(name)));
    return all
      .filter((software) => software !== undefined)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.softwareId.localeCompare(b.softwareId));
  }

  async save(software: Software): Promise<void> {
    await ensureFolder(this.#folder);
    const text = `${JSON.stringify(software, undefined, 2)}\n`;
    await writeFileAtomically(join(this.#folder, `${software.softwareId}.json`), text, publicMode);
  }

  async #read(name: string): Promise<Software | undefined> {
    try {
      return JSON.parse(await readFile(join(this.#folder, name), 'utf8')) as Software;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
}
