import { resolve } from 'node:path';
import { callOf, repositoryRoot } from '#libs/command-line';
import { readDescription } from '../sandbox-description.js';

/** Steps that make programs of this system trust an authority, or stop trusting it. */
export interface TrustStep {
  title: string;
  /** for a terminal; without it the title is the whole step */
  command?: string;
}

const name = 'Open Banking Sandbox Root CA';

/**
 * @param platform as Node names it
 * @param caFile absolute path of the sandbox's authority
 */
export function trustSteps(platform: NodeJS.Platform, caFile: string): { trust: TrustStep[]; undo: TrustStep[] } {
  const file = quote(platform, caFile);
  const firefox = {
    trust: { title: `Firefox: Settings, Privacy & Security, View Certificates, Authorities, Import: ${caFile}` },
    undo: { title: `Firefox: Settings, Privacy & Security, View Certificates, Authorities: delete "${name}"` },
  };
  const system = systemSteps(platform, file);
  return { trust: [system.trust, firefox.trust], undo: [system.undo, firefox.undo] };
}

function systemSteps(platform: NodeJS.Platform, file: string): { trust: TrustStep; undo: TrustStep } {
  switch (platform) {
    case 'darwin':
      return {
        trust: {
          title: 'Safari and Chrome',
          command: `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${file}`,
        },
        undo: {
          title: 'Safari and Chrome',
          command: `security delete-certificate -c "${name}" ~/Library/Keychains/login.keychain-db`,
        },
      };
    case 'win32':
      return {
        trust: { title: 'Edge and Chrome', command: `certutil -user -addstore Root ${file}` },
        undo: { title: 'Edge and Chrome', command: `certutil -user -delstore Root "${name}"` },
      };
    default:
      return {
        trust: {
          title: 'Chrome and Chromium (certutil is in the package libnss3-tools or nss-tools)',
          command: `mkdir -p ~/.pki/nssdb && certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n "${name}" -i ${file}`,
        },
        undo: {
          title: 'Chrome and Chromium',
          command: `certutil -d sql:$HOME/.pki/nssdb -D -n "${name}"`,
        },
      };
  }
}

function quote(platform: NodeJS.Platform, path: string): string {
  if (platform === 'win32') return `"${path}"`;
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

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
