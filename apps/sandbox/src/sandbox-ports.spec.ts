import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { freePort } from './postgres/free-port.js';
import { defaultPorts, loopbackHost, portVariables, reservePorts } from './sandbox-ports.js';

const execute = promisify(execFile);

const { checkPorts, fixedPorts, yieldingPorts } = (await import(
  new URL('../launch/check-machine.mjs', import.meta.url).href
)) as {
  checkPorts: (env: Readonly<Record<string, string>>) => Promise<void>;
  fixedPorts: Readonly<Record<string, number>>;
  yieldingPorts: Readonly<Record<string, number>>;
};

const free = { authorize: 0, directory: 0, bank: 0, admin: 0, portal: 0, bankApp: 0 };

const leadingTo = (...addresses: string[]): typeof lookup =>
  (async () => addresses.map((address) => ({ address, family: 4 }))) as unknown as typeof lookup;

it.each([
  [['127.0.0.1'], '127.0.0.1'],
  [['::1', '127.0.0.1'], '127.0.0.1'],
  [['::1'], '::1'],
])('if localhost leads to %j, the servers listen on %s', async (addresses, host) => {
  await expect(loopbackHost(leadingTo(...addresses))).resolves.toBe(host);
});

it('a localhost that leads elsewhere is named', async () => {
  await expect(loopbackHost(leadingTo('192.0.2.1'))).rejects.toThrow('localhost leads to 192.0.2.1 here');
  await expect(loopbackHost(leadingTo())).rejects.toThrow('localhost leads to no address here');
});

it('all ports in use are named at once, before the installation too', async () => {
  const holders = [createServer(), createServer()];
  for (const holder of holders) await once(holder.listen(0, '127.0.0.1'), 'listening');
  const [one = 0, two = 0] = holders.map((holder) => (holder.address() as AddressInfo).port);
  await expect(reservePorts({ ...free, token: one, api: two })).rejects.toThrow(
    `Ports ${one} (token), ${two} (api) are in use: stop what listens there, or choose other ports with TOKEN_PORT=<port> API_PORT=<port>.`,
  );
  const env = { AUTHORIZE_PORT: '0', DIRECTORY_PORT: '0', BANK_PORT: '0', TOKEN_PORT: `${one}`, API_PORT: `${two}` };
  await expect(checkPorts(env)).rejects.toThrow(`In use: ${one}, ${two}. Stop what listens there`);
  const chosen = { ADMIN_PORT: `${one}`, PORTAL_PORT: `${two}`, BANK_APP_PORT: `${two}` };
  await expect(checkPorts({ ...env, TOKEN_PORT: '0', API_PORT: '0', ...chosen })).rejects.toThrow(
    `In use: ${one}, ${two}, ${two}. Stop what listens there, or choose other ports with ADMIN_PORT=<port> PORTAL_PORT=<port>`,
  );
  for (const holder of holders) holder.close();
});

it('any free port is none that the system may give to an outgoing connection before a server listens', async () => {
  const reserved = Object.values(await reservePorts({ ...free, token: 0, api: 0 }));
  expect(new Set(reserved).size).toBe(reserved.length);
  for (const port of reserved) expect(port).toBeLessThan(32_768);
  const together = await Promise.all([freePort(), freePort(), freePort()]);
  expect(new Set(together).size).toBe(3);
});

it('too few open files are reported, instead of a program that ends silently', async () => {
  const check = new URL('../launch/check-machine.mjs', import.meta.url).href;
  const script = `import('${check}').then((machine) => machine.checkFileDescriptors())`;
  const start = (limit: number): Promise<unknown> =>
    execute('sh', ['-c', `ulimit -n ${limit}; exec "$0" -e "$1"`, process.execPath, script]);
  await expect(start(256)).rejects.toThrow('This needs 512 open files, and the limit is 256: ulimit -n 4096');
  await expect(start(512)).resolves.toBeDefined();
});

it('the launcher checks the ports of the servers that keep theirs, and those that are chosen', () => {
  const servers = ['authorize', 'token', 'api', 'directory', 'bank'] as const;
  expect(fixedPorts).toEqual(Object.fromEntries(servers.map((each) => [portVariables[each], defaultPorts[each]])));
  const yielding = (['admin', 'portal', 'bankApp'] as const).map((each) => [portVariables[each], defaultPorts[each]]);
  expect(yieldingPorts).toEqual(Object.fromEntries(yielding));
});
