import { createServer } from 'node:net';

/**
 * @param port a TCP port; 0 asks for any free one
 * @param host the address to listen on
 * @returns the port, or `undefined` if somebody listens there already
 */
export async function probePort(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}

/**
 * @param preferred the port of the last run, if any
 * @returns that port when it is still free, else another one
 */
export async function choosePort(preferred: number | undefined): Promise<number> {
  const port = (preferred && (await probePort(preferred))) || (await probePort(0));
  if (!port) throw new Error('The system has no free TCP port.');
  return port;
}
