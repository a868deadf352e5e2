import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A forward proxy that records its requests. */
interface EgressProxy {
  url: string;
  /** `CONNECT host:port` and `GET http://...`, with the credentials that came along */
  requests: { line: string; authorization: string | undefined }[];
  close: () => Promise<void>;
}

/**
 * Starts a proxy on a loopback port.
 * @param options.isRefusing answers 403 to everything
 */
export async function startEgressProxy(options: { isRefusing?: boolean } = {}): Promise<EgressProxy> {
  const requests: EgressProxy['requests'] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    requests.push({ line: `${method} ${url}`, authorization: request.headers['proxy-authorization'] });
    request.pipe(
      httpRequest(url, { method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request, socket: Socket) => {
    requests.push({ line: `CONNECT ${request.url ?? ''}`, authorization: request.headers['proxy-authorization'] });
    if (options.isRefusing) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const one of [socket, target]) {
      sockets.add(one);
      one.on('error', () => one.destroy()); // the other side has gone: the test has seen enough
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://proxy-user:proxy%20password@127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
