import { execFile } from 'node:child_process';
import { mkdir, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const roomyMegabytes = 1_024;

/**
 * A disk in memory of a size that can be changed while it is in use: it is really full then, and really has room again.
 */
export class SmallDisk {
  private constructor(private readonly path: string) {}

  /**
   * @param path of the folder to be, below one that everybody may enter
   * @returns undefined if this process may not mount anything
   */
  static async mount(path: string): Promise<SmallDisk | undefined> {
    await mkdir(path, { recursive: true, mode: 0o755 });
    const isMounted = await run('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${roomyMegabytes}m,mode=0755`,
      'chaos',
      path,
    ]).then(
      () => true,
      () => false,
    );
    return isMounted ? new SmallDisk(path) : undefined;
  }

  /** Leaves no more room than the last started page of it. */
  async fill(): Promise<void> {
    const { blocks, bfree, bsize } = await statfs(this.path);
    // What is written between the look and the change makes the size too small, which is refused.
    await this.#resize(`${Math.ceil(((blocks - bfree) * bsize) / 1_024) + 64}k`).catch(() => undefined);
  }

  async makeRoom(): Promise<void> {
    await this.#resize(`${roomyMegabytes}m`);
  }

  async unmount(): Promise<void> {
    await run('umount', ['--lazy', this.path]);
  }

  async #resize(size: string): Promise<void> {
    await run('mount', ['-o', `remount,size=${size}`, this.path]);
  }
}
