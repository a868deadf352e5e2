import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadAll } from 'js-yaml';
import { freePort } from '../../support/free-port.js';
import { waitForPort } from './app-process.js';
import { missingPrograms, readConfiguration } from './proxy.js';

const describeIngress = missingPrograms() === undefined ? describe : describe.skip;

/** Addresses in order, and whether each belongs to a network seen before. */
const callers: readonly [address: string, isKnown: boolean][] = [
  ['192.0.2.1', false],
  ['192.0.2.1', true],
  ['192.0.2.2', false],
  ['2001:db8:0:1::1', false],
  ['2001:db8:0:1:ffff:1:2:3', true],
  ['2001:db8:0:1:a0a:a0a:a0a:a0a', true],
  ['2001:db8:0:2::1', false],
  ['2001:db8::1', false],
  ['2001:db8::5:6:7:8', true],
];

/** Sends a request with the caller's address (PROXY protocol), as an ingress would. */
function ask(port: number, address: string): Promise<string> {
  const isV6 = address.includes(':');
  const [family, own] = isV6 ? ['TCP6', '2001:db8:ffff::1'] : ['TCP4', '198.51.100.1'];
  const socket = connect({ port, host: '127.0.0.1' });
  socket.end(`PROXY ${family} ${address} ${own} 40000 443\r\nGET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

describeIngress('one customer line, which has 2^64 addresses, is counted as one', () => {
  let folder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-networks-'));
  });

  afterAll(async () => {
    for (const child of children) {
      const exited = once(child, 'exit');
      if (child.exitCode !== null || !child.kill('SIGTERM')) continue;
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  });

  async function start(program: string, parameters: readonly string[], port: number): Promise<void> {
    const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    await waitForPort(port, () => (child.exitCode === null ? undefined : output));
  }

  it('by nginx, in both forms', async () => {
    const [map = '', ...others] = await Promise.all(
      (['nginx-terminating', 'nginx-pass-through'] as const).map(async (form) => {
        const text = await readConfiguration(form);
        expect(text).toMatch(/limit_(req|conn)_zone \$client_network /);
        return /^ *map \$binary_remote_addr [^]*?\n    \}\n/m.exec(text)?.[0] ?? 'none';
      }),
    );
    expect(others).toEqual([map]);
    const port = await freePort();
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events { worker_connections 64; }
       http { access_log off; ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join(' ')}
         ${map}
         limit_req_zone $client_network zone=addresses:1m rate=1r/m; limit_req_status 429;
         server { listen 127.0.0.1:${port} proxy_protocol; set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;
           location / { limit_req zone=addresses; empty_gif; } } }`,
    );
    await start('/usr/sbin/nginx', ['-c', file, '-g', 'daemon off;', '-e', `${folder}/error.log`], port);
    for (const [address, isKnown] of callers) {
      const [status] = (await ask(port, address)).split('\r\n');
      expect([address, status]).toEqual([address, expect.stringContaining(isKnown ? '429' : '200')]);
    }
  });

  it('by HAProxy, and by the script of the Gateway', async () => {
    const text = await readConfiguration('haproxy-pass-through');
    const [table = ''] = /^backend addresses\n(?: .*\n)+/m.exec(text) ?? [];
    const tracks = text.match(/track-sc0 .*/g) ?? [];
    expect(new Set(tracks).size).toBe(1);
    const documents = loadAll(readFileSync('deploy/ingress/gateway-api/terminating.yaml', 'utf8')) as {
      kind: string;
      spec: { lua: { inline: string }[] };
    }[];
    const script = documents.find(({ kind }) => kind === 'EnvoyExtensionPolicy')?.spec.lua[0]?.inline ?? '';
    const lua = join(folder, 'network.lua');
    // In the form of Envoy: with the port, and IPv6 addresses in brackets.
    const fetch = `core.register_fetches("network", function(txn)
      local ip = txn.sf:src()
      return network_of((ip:find(":", 1, true) and "[" .. ip .. "]" or ip) .. ":" .. txn.sf:src_port())
    end)`;
    await writeFile(lua, `${script}\n${fetch}`);
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    await writeFile(
      file,
      `global
  lua-load ${lua}
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
${table.replaceAll('10s', '10m')}
frontend all
  bind 127.0.0.1:${port} accept-proxy
  tcp-request session ${tracks[0]}
  http-request return status 200 content-type text/plain lf-string "%[sc0_conn_rate] %[lua.network]"
`,
    );
    await start('/usr/sbin/haproxy', ['-db', '-f', file], port);
    const networks: string[] = [];
    for (const [address, isKnown] of callers) {
      const [count, network = ''] = (await ask(port, address)).split('\r\n\r\n')[1]?.split(' ') ?? [];
      const seen = { haproxy: Number(count) > 1, script: networks.includes(network) };
      expect({ address, ...seen }).toEqual({ address, haproxy: isKnown, script: isKnown });
      networks.push(network);
    }
    expect(new Set(networks)).toEqual(
      new Set(['192.0.2.1', '192.0.2.2', '2001:db8:0:1', '2001:db8:0:2', '2001:db8:0:0']),
    );
  });
});
