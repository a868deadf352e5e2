import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A key store outside any directory: each path answers as the test says. */
export interface KeyStore {
  port: number;
  /** connections since the start, whether a request came over them or not */
  connectionCount: () => number;
  /** @returns the address that now serves it */
  serve: (name: string, listener: RequestListener) => string;
  /** As serve, for a document. */
  serveJson: (name: string, document: unknown) => string;
  requestCount: (name: string) => number;
  /** @param credential PEM certificate for localhost and its key; there is none before the sandbox has started */
  useCertificate: (credential: { cert: string; key: string }) => void;
  close: () => Promise<void>;
}

/** Starts a key store on a loopback port. */
export async function startKeyStore(): Promise<KeyStore> {
  const listeners = new Map<string, RequestListener>();
  const requests = new Map<string, number>();
  let connections = 0;
  const server: Server = createServer({}, (request, response) => {
    const name = (request.url ?? '').slice(1);
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const listener = listeners.get(name);
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const serve = (name: string, listener: RequestListener): string => {
    listeners.set(name, listener);
    return `https://localhost:${port}/${name}`;
  };
  return {
    port,
    connectionCount: () => connections,
    serve,
    serveJson: (name, document) => serve(name, (_request, response) => response.end(JSON.stringify(document))),
    requestCount: (name) => requests.get(name) ?? 0,
    useCertificate: (credential) => server.setSecureContext(credential),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
