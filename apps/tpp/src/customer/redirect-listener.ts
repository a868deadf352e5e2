import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JourneyError } from '../journey-error.js';

const longestAddress = 16_384;

/**
 * The answer of the hybrid flow is behind the `#`, which browsers do not send: this page forwards it (OAuth 2.0
 * Multiple Response Types s5).
 */
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Back from the bank</title>
<p id="outcome">One moment…</p>
<script>
fetch(location.pathname, { method: 'POST', body: location.hash || location.search }).then(
  () => { document.getElementById('outcome').textContent = 'Done. You may close this window.'; },
  () => { document.getElementById('outcome').textContent = 'The program that was waiting is gone.'; });
history.replaceState(null, '', location.pathname);
</script>
<noscript>Scripts are off: copy the address of this page into the terminal.</noscript></html>`;

/**
 * Waits on a loopback address for the browser to return from the bank, once.
 * @param options.redirectUri of the request; the user forwards it here
 * @returns the address as the bank wrote it
 * @throws JourneyError if nobody came in time
 */
export async function waitForRedirect(options: {
  port: number;
  redirectUri: string;
  timeoutMilliseconds: number;
  onListening: (address: string) => void;
}): Promise<string> {
  const { port, redirectUri, timeoutMilliseconds, onListening } = options;
  const server = createServer();
  const returned = new Promise<string>((resolve) => {
    server.on('request', (request, response) => {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
      if (request.method !== 'POST') {
        response.writeHead(200, headers).end(page);
        return;
      }
      // oxlint-disable-next-line typescript/no-floating-promises -- whatever comes is answered
      void takeParameters(request, response).then((parameters) => {
        if (parameters !== undefined) resolve(`${redirectUri}${parameters.replace(/^\?/, '#')}`);
        return undefined;
      });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onListening(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const error = new JourneyError(`the customer did not come back within ${timeoutMilliseconds / 1_000} s`);
    timer = setTimeout(() => reject(error), timeoutMilliseconds);
  });
  try {
    return await Promise.race([returned, tooLate]);
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeIdleConnections();
  }
}

/** @returns what the page forwarded; undefined if it is not an answer of a bank */
async function takeParameters(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
  try {
    const parameters = await readText(request);
    response.writeHead(204, { connection: 'close' }).end();
    return /^[#?].*=/.test(parameters) ? parameters : undefined;
  } catch {
    // Too long or incomplete: not the expected answer.
    response.destroy();
    return undefined;
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > longestAddress) throw new JourneyError('the answer is too long');
  }
  return text;
}
