import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '../sandbox-error.js';

/** Survives a restart of the machine, unlike /tmp, and can be entered by every account. */
const roots = ['/var/tmp', '/tmp'];

/**
 * A folder of ours that other accounts may enter, for what cannot stay inside a private folder.
 * @param name the folder's name, the same in every run
 * @returns its absolute path
 * @throws SandboxError if somebody else made a folder of that name first: its content cannot be trusted
 */
export async function ensureSharedFolder(name: string): Promise<string> {
  const root = roots.find((candidate) => existsSync(candidate));
  if (!root)
    throw new SandboxError(`None of ${roots.join(', ')} exists: run the sandbox as an ordinary user, not as root.`);
  const folder = join(root, name);
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const status = await lstat(folder);
  if (!status.isDirectory() || status.uid !== process.getuid?.()) {
    throw new SandboxError(
      `${folder} belongs to another user: remove it, or run the sandbox as an ordinary user, not as root.`,
    );
  }
  await chmod(folder, 0o755); // whatever the umask made of it
  return folder;
}
