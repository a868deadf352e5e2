import { resolve } from 'node:path';
import { repositoryRoot } from '#libs/command-line';

/**
 * @param env the process' environment
 * @returns absolute path of the sandbox's folder: SANDBOX_DIRECTORY, or `.sandbox` if that is empty or not set
 */
export function sandboxDirectory(env: Readonly<Record<string, string | undefined>>): string {
  return resolve(repositoryRoot(), env['SANDBOX_DIRECTORY'] || '.sandbox');
}
