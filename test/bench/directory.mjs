import { createServer } from 'node:https';

/** A directory's key host: serves one key set at every path. */
export async function startDirectory({ pki, keySet }) {
  const server = createServer({ cert: pki.server.certificate, key: pki.server.privateKey }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(keySet));
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `https://localhost:${server.address().port}`,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
