import { once } from 'node:events';
import type { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { defaultPorts, loopbackHost, portVariables, reservePorts } from './sandbox-ports.js';

const { checkPorts, fixedPorts } = (await import(new URL('../launch/check-machine.mjs', import.meta.url).href)) as {
  checkPorts: (env: Readonly<Record<string, string>>) => Promise<void>;
  fixedPorts: Readonly<Record<string, number>>;
};

const leadingTo = (...addresses: string[]): typeof lookup =>
  (async () => addresses.map((address) => ({ address, family: 4 }))) as unknown as typeof lookup;

it.each([
  [['127.0.0.1'], '127.0.0.1'],
  [['::1', '127.0.0.1'], '127.0.0.1'],
  [['::1'], '::1'],
])('where localhost leads to %j, the servers listen on %s', async (addresses, host) => {
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
  const free = { authorize: 0, directory: 0, bank: 0, admin: 0, portal: 0, bankApp: 0 };
  await expect(reservePorts({ ...free, token: one, api: two })).rejects.toThrow(
    `Ports ${one} (token), ${two} (api) are in use: stop what listens there, or choose other ports with TOKEN_PORT=<port> API_PORT=<port>.`,
  );
  const env = { AUTHORIZE_PORT: '0', DIRECTORY_PORT: '0', BANK_PORT: '0', TOKEN_PORT: `${one}`, API_PORT: `${two}` };
  await expect(checkPorts(env)).rejects.toThrow(`In use: ${one}, ${two}. Stop what listens there`);
  for (const holder of holders) holder.close();
});

it('the ports that are checked before the installation are those of the servers that keep theirs', () => {
  const servers = ['authorize', 'token', 'api', 'directory', 'bank'] as const;
  expect(fixedPorts).toEqual(Object.fromEntries(servers.map((each) => [portVariables[each], defaultPorts[each]])));
});
