import { isFree, sandboxServers, type SandboxPorts } from './apps/ports.js';

/**
 * Each worker of the test run has its own ports, below those that the system uses for outgoing connections. No other
 * process takes a port between its choice and its use, or while a process that uses it restarts. Another run at the
 * same time needs ports of its own: FIRST_TEST_PORT.
 */
const portsOfWorker = 1_000;
const first =
  Number(process.env['FIRST_TEST_PORT'] ?? 10_000) + (Number(process.env['JEST_WORKER_ID'] ?? 1) % 10) * portsOfWorker;
let next = Math.floor(Math.random() * portsOfWorker);

/** @returns a TCP port that is free now, another one each time */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < portsOfWorker; attempt += 1) {
    next = (next + 1) % portsOfWorker;
    const port = first + next;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of the ports from ${first} to ${first + portsOfWorker - 1} is free.`);
}

/** @returns free ports for all servers of a sandbox */
export async function freePorts(): Promise<SandboxPorts> {
  const ports: Partial<SandboxPorts> = {};
  for (const server of sandboxServers) ports[server] = await freePort();
  return ports as SandboxPorts;
}
