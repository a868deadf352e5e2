import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitForPort } from './app-process.js';
import { appNames, type AppName } from './bank-host.js';

/** Where the listeners are in the shipped configurations. */
export const publicAddresses = { authorize: '203.0.113.10', token: '203.0.113.11', api: '203.0.113.12' } as const;
const innerPorts = { authorize: 8441, token: 8442, api: 8443 } as const;

/** A configuration of deploy/ingress that runs here. */
export type Form = 'haproxy-pass-through' | 'nginx-pass-through' | 'nginx-terminating';

const files: Readonly<Record<Form, string>> = {
  'haproxy-pass-through': 'deploy/ingress/pass-through/haproxy.cfg',
  'nginx-pass-through': 'deploy/ingress/pass-through/nginx.conf',
  'nginx-terminating': 'deploy/ingress/terminating/nginx.conf',
};

/** @returns what is not installed, in words; undefined if nothing is missing */
export function missingPrograms(): string | undefined {
  const needed = ['/usr/sbin/nginx', '/usr/sbin/haproxy', '/usr/lib/nginx/modules/ngx_stream_module.so'];
  const missing = needed.filter((path) => !existsSync(path));
  return missing.length === 0 ? undefined : missing.join(', ');
}

/** Ports on both sides of the proxy. */
export interface Ports {
  readonly public: Readonly<Record<AppName, number>>;
  /** of the instances behind it, three of each */
  readonly instances: Readonly<Record<AppName, readonly number[]>>;
}

/** @returns a configuration as it is shipped */
export function readConfiguration(form: Form): Promise<string> {
  return readFile(files[form], 'utf8');
}

/**
 * @param form which of the shipped configurations
 * @param folder where its `tls` folder is, and what it writes
 * @param change what is done to it beforehand
 * @returns the configuration with ports and paths of this machine, and nothing else changed
 */
export async function renderConfiguration(
  form: Form,
  folder: string,
  ports: Ports,
  change = (text: string): string => text,
): Promise<string> {
  const shipped = await readConfiguration(form);
  let text = change(shipped);
  const replace = (from: string, to: string): void => {
    if (!shipped.includes(from)) throw new Error(`${files[form]} does not hold "${from}" any more.`);
    text = text.replaceAll(from, to);
  };
  for (const app of appNames) {
    replace(`${publicAddresses[app]}:443`, `127.0.0.1:${ports.public[app]}`);
    for (const [index, port] of ports.instances[app].entries()) {
      replace(`${app}-${index + 1}.internal:${innerPorts[app]}`, `127.0.0.1:${port}`);
    }
  }
  if (form === 'haproxy-pass-through') return text;
  replace('/run/nginx.pid', join(folder, 'nginx.pid'));
  replace('/var/log/nginx/error.log', join(folder, 'nginx-error.log'));
  if (form === 'nginx-terminating') {
    replace('/etc/nginx/tls/', join(folder, 'tls/'));
    replace('/var/lib/nginx/', join(folder, 'nginx/'));
  }
  return text;
}

/** The real HAProxy or nginx. */
export class Proxy {
  #child: ChildProcess | undefined;

  constructor(
    private readonly form: Form,
    private readonly folder: string,
    private readonly ports: Ports,
  ) {}

  /** Starts it with this configuration, in place of the one before. */
  async start(configuration: string): Promise<void> {
    await this.stop();
    await mkdir(join(this.folder, 'nginx'), { recursive: true });
    const file = join(this.folder, `${this.form}.conf`);
    await writeFile(file, configuration);
    const [program, parameters] =
      this.form === 'haproxy-pass-through'
        ? ['/usr/sbin/haproxy', ['-db', '-f', file]]
        : ['/usr/sbin/nginx', ['-c', file, '-g', 'daemon off;', '-e', join(this.folder, 'nginx-error.log')]];
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    for (const app of appNames) {
      await waitForPort(this.ports.public[app], () => (child.exitCode === null ? undefined : output));
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}
