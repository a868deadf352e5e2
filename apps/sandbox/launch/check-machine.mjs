import { createServer } from 'node:net';

/** With fewer, the programs do not load: an import says that a package cannot be found, or ends silently. */
const leastFileDescriptors = 512;

/** The servers that keep their port; sandbox-ports.ts has all servers. */
export const fixedPorts = {
  AUTHORIZE_PORT: 8441,
  TOKEN_PORT: 8442,
  API_PORT: 8443,
  DIRECTORY_PORT: 8444,
  BANK_PORT: 8445,
};

/** Those that move if their port is taken, unless another port is chosen. */
export const yieldingPorts = { ADMIN_PORT: 8446, PORTAL_PORT: 8447, BANK_APP_PORT: 8448 };

/** @throws if this process may not open the files that the sandbox needs */
export function checkFileDescriptors() {
  process.report.excludeNetwork = true;
  const { soft } = process.report.getReport().userLimits?.open_files ?? {};
  if (typeof soft === 'number' && soft < leastFileDescriptors)
    throw new Error(`This needs ${leastFileDescriptors} open files, and the limit is ${soft}: ulimit -n 4096`);
}

/**
 * Checks the ports before an installation that takes minutes.
 * @param {Record<string, string | undefined>} env
 * @throws naming all ports that are taken
 */
export async function checkPorts(env) {
  const ours = Object.entries(fixedPorts).filter(([name]) => name !== 'BANK_PORT' || !env.BANK_URL);
  const chosen = Object.entries(yieldingPorts).filter(([name, port]) => Number(env[name] || port) !== port);
  const wanted = [...ours, ...chosen].map(([name, port]) => ({ name, port: Number(env[name] || port) }));
  const free = await Promise.all(wanted.map(({ port }) => isFree(port)));
  const taken = wanted.filter((_, index) => !free[index]);
  if (taken.length === 0) return;
  const choice = taken.map(({ name }) => `${name}=<port>`).join(' ');
  const ports = taken.map(({ port }) => port).join(', ');
  throw new Error(`In use: ${ports}. Stop what listens there, or choose other ports with ${choice}.`);
}

function isFree(port) {
  // The sandbox names an invalid port later.
  if (!(port >= 0 && port <= 65_535)) return true;
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen({ port, host: 'localhost', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
