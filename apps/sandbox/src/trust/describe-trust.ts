import { resolve } from 'node:path';
import { callOf, repositoryRoot } from '#libs/command-line';
import { readDescription } from '../sandbox-description.js';
import { trustSteps } from './trust-steps.js';

/**
 * Says how to make a browser of this system trust the sandbox's authority; it changes nothing itself.
 * @param directory the sandbox's folder
 * @param isUndone whether to say how to remove that trust instead
 * @throws SandboxError if the sandbox has never been started
 */
export async function describeTrust(directory: string, isUndone: boolean): Promise<string> {
  const { ca_file: caFile } = await readDescription(directory);
  const { trust, undo } = trustSteps(process.platform, resolve(repositoryRoot(), caFile));
  const lines = (isUndone ? undo : trust).flatMap(({ title, command }) =>
    command === undefined ? [title, ''] : [`${title}:`, `  ${command}`, ''],
  );
  const heading = isUndone
    ? 'To stop trusting the certificate authority of this sandbox:'
    : 'To trust the certificate authority of this sandbox (nothing is changed yet):';
  const closing = isUndone
    ? 'Restart the browser afterwards.'
    : `Restart the browser afterwards. Remove the trust when you are done: ${callOf('sandbox')} trust --undo`;
  return [heading, '', ...lines, closing].join('\n');
}
