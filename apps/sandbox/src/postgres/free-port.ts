import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux, macOS and Windows use for outgoing connections: no connection takes one between its
 * choice and its use.
 */
const [firstPort, lastPort] = [30_000, 32_767];
let next = randomInt(firstPort, lastPort);

/**
 * @param host the address to listen on
 * @returns a TCP port that is free now, another one each time
 * @throws Error if there is none
 */
export async function freePort(host?: string): Promise<number> {
  for (let attempt = firstPort; attempt <= lastPort; attempt += 1) {
    next = next < lastPort ? next + 1 : firstPort;
    const port = next;
    if (await isFree(port, host)) return port;
  }
  throw new Error(`The system has no free TCP port from ${firstPort} to ${lastPort}.`);
}

/**
 * @param port a TCP port
 * @param host the address to listen on
 * @returns whether nobody listens there
 */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      server.close(() => resolve(true));
    });
  });
}

/**
 * @param preferred the port of the last run, if any
 * @returns that port when it is still free, else another one
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  return preferred && (await isFree(preferred)) ? preferred : freePort();
}
