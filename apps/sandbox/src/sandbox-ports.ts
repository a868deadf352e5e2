import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { freePort, isFree } from './postgres/free-port.js';
import { SandboxError } from './sandbox-error.js';

/** Where each server listens, and the environment variable that moves it. */
const servers = {
  authorize: { port: 8441, variable: 'AUTHORIZE_PORT' },
  token: { port: 8442, variable: 'TOKEN_PORT' },
  api: { port: 8443, variable: 'API_PORT' },
  directory: { port: 8444, variable: 'DIRECTORY_PORT' },
  bank: { port: 8445, variable: 'BANK_PORT' },
  // Metrics and health of everything, plain HTTP.
  admin: { port: 8446, variable: 'ADMIN_PORT' },
  // The sandbox portal, plain HTTP.
  portal: { port: 8447, variable: 'PORTAL_PORT' },
  // The page that replaces the bank's app on a customer's phone, plain HTTP.
  bankApp: { port: 8448, variable: 'BANK_APP_PORT' },
} as const;

type Server = keyof typeof servers;

/** The TCP ports of the sandbox's servers; all listen on {@link loopbackHost}. */
export type SandboxPorts = Record<Server, number>;

export const sandboxServers = Object.keys(servers) as Server[];

const ofServers = <Value>(valueOf: (server: Server) => Value): Readonly<Record<Server, Value>> =>
  Object.fromEntries(sandboxServers.map((server) => [server, valueOf(server)])) as Record<Server, Value>;

export const defaultPorts: Readonly<SandboxPorts> = ofServers((server) => servers[server].port);

export const portVariables: Readonly<Record<Server, string>> = ofServers((server) => servers[server].variable);

/** @returns public address of a server of the sandbox, without a slash at the end */
export function sandboxAddress(port: number): string {
  return `https://localhost:${port}`;
}

/** @returns address of the sandbox portal, without a slash at the end */
export function portalAddress(port: number): string {
  return `http://localhost:${port}`;
}

/** @returns where the bank sends a customer back to the portal's TPP */
export function portalRedirectUri(port: number): string {
  return `${portalAddress(port)}/callback`;
}

/**
 * @param env the process' environment
 * @returns the ports that it sets, and the default ones of all other servers
 * @throws SandboxError if one is no port
 */
export function parsePorts(env: Readonly<Record<string, string | undefined>>): SandboxPorts {
  const ports = { ...defaultPorts };
  for (const server of sandboxServers) {
    const text = env[portVariables[server]];
    if (text === undefined || text === '') continue;
    if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
      throw new SandboxError(
        `${portVariables[server]} must be a port number from 0 (any free one) to 65535, not "${text}".`,
      );
    }
    ports[server] = Number(text);
  }
  return ports;
}

/**
 * @param ports 0 stands for any free port
 * @returns ports that are free now
 * @throws SandboxError naming all ports that are in use and the variables that change them, or two servers with one
 * port
 */
export async function reservePorts(ports: SandboxPorts, host?: string): Promise<SandboxPorts> {
  assertDifferent(ports);
  const reserved = { ...ports };
  const taken: Server[] = [];
  for (const server of sandboxServers) {
    const port = ports[server];
    if (port === 0 || (givesWay(server, port) && !(await isFree(port, host)))) reserved[server] = await freePort(host);
    else if (!(await isFree(port, host))) taken.push(server);
  }
  if (taken.length > 0) throw portsInUse(taken, ports);
  return reserved;
}

/** @returns the loopback address that `localhost` leads to: on some machines that is ::1 alone */
export async function loopbackHost(resolve: typeof lookup = lookup): Promise<string> {
  const found = await resolve('localhost', { all: true }).catch((): LookupAddress[] => []);
  const addresses = found.map(({ address }) => address);
  const host = ['127.0.0.1', '::1'].find((each) => addresses.includes(each));
  if (host !== undefined) return host;
  const where = addresses.length === 0 ? 'no address' : addresses.join(', ');
  throw new SandboxError(`localhost leads to ${where} here, but must lead to 127.0.0.1 or ::1.`);
}

function assertDifferent(ports: SandboxPorts): void {
  for (const server of sandboxServers) {
    const other = sandboxServers.find((candidate) => ports[candidate] === ports[server]);
    if (other === undefined || other === server || ports[server] === 0) continue;
    const [one, two] = [portVariables[other], portVariables[server]];
    throw new SandboxError(`${one} and ${two} are both ${ports[server]}: give each server its own port.`);
  }
}

/** @returns the line that says which ports are taken and how to choose others */
export function portsInUse(servers: readonly Server[], ports: SandboxPorts): SandboxError {
  const taken = servers.map((server) => `${ports[server]} (${server})`).join(', ');
  const choice = servers.map((server) => `${portVariables[server]}=<port>`).join(' ');
  return new SandboxError(
    servers.length === 1
      ? `Port ${taken} is in use: stop what listens there, or choose another port with ${choice}.`
      : `Ports ${taken} are in use: stop what listens there, or choose other ports with ${choice}.`,
  );
}

/** These servers move to a free port if theirs is taken and none was chosen; the start prints where they listen. */
function givesWay(server: Server, port: number): boolean {
  return (server === 'admin' || server === 'portal' || server === 'bankApp') && port === defaultPorts[server];
}
