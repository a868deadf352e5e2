import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { connect as tlsConnect } from 'node:tls';
import { createOutgoingAgent } from '#libs/outgoing';
import { traceCall } from '#libs/tracing';
import { openTunnel, proxyHeaders } from './egress-proxy.js';
import { isPublicAddress } from './public-address.js';

/** How documents of external servers are fetched. */
export interface DocumentTransport {
  /** PEM of the authority of the servers; the system's authorities without it */
  ca?: string | readonly string[] | undefined;
  /** http:// address of a proxy for everything; names are resolved by it then */
  proxyUrl?: string | undefined;
  allowPrivateAddresses: boolean;
  /** for name resolution, connection, handshake and answer together */
  timeoutMilliseconds: number;
  maxBytes: number;
}

export interface DocumentRequest {
  /** http or https; the caller has checked that it may be fetched */
  url: URL;
  accept: string;
  /** sent with POST; GET without it */
  body?: { type: string; bytes: Buffer };
}

/** Few connections at once, fewer to one server, none kept alive, so that a slow server leaves room for the others. */
const agentOptions = { keepAlive: false, maxSockets: 8, maxTotalSockets: 32 };
const httpsAgent = createOutgoingAgent(agentOptions);
const httpAgent = new HttpAgent(agentOptions);

/**
 * Fetches a document of limited size in limited time.
 * @throws Error for whatever is not a complete answer 200 without content coding; a redirect is not followed
 */
export async function fetchDocument(request: DocumentRequest, transport: DocumentTransport): Promise<Buffer> {
  const method = request.body ? 'POST' : 'GET';
  const call = { name: 'fetch document', method, host: request.url.host, isOwn: false };
  return traceCall(call, async ({ answered }) => {
    const signal = AbortSignal.timeout(transport.timeoutMilliseconds);
    const response = await openResponse(request, transport, signal);
    answered(response.statusCode ?? 0);
    // Only 200: a redirect would bypass the list of hosts.
    if (response.statusCode !== 200) throw refusedAnswer(response, `status ${response.statusCode ?? 'unknown'}`);
    const coding = response.headers['content-encoding'] ?? 'identity';
    // Refuses unrequested content codings: a small answer could expand without bound.
    if (coding !== 'identity') throw refusedAnswer(response, 'content coding');
    return readBody(response, transport.maxBytes);
  });
}

async function openResponse(
  request: DocumentRequest,
  transport: DocumentTransport,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const outgoing = await createRequest(request, transport, signal);
  return new Promise((opened, reject) => {
    outgoing.on('response', opened);
    outgoing.on('error', reject);
    // Node reports neither a timeout while the request waits for a connection, nor that the server switched protocols.
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    outgoing.on('close', () => reject(new Error('The server closed the connection without an answer.')));
    outgoing.end(request.body?.bytes);
  });
}

async function createRequest(
  { url, accept, body }: DocumentRequest,
  transport: DocumentTransport,
  signal: AbortSignal,
): Promise<ClientRequest> {
  const { proxyUrl } = transport;
  const ca = transport.ca === undefined ? undefined : [transport.ca].flat();
  const headers = {
    accept,
    'accept-encoding': 'identity',
    'user-agent': 'open-banking-provider',
    ...(body && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
  };
  // @cryptography TLS 1.2 or 1.3 | none | connections to directories, key stores and revocation services, trusting
  // DIRECTORY_CA or the system's CAs
  const options: RequestOptions = {
    method: body ? 'POST' : 'GET',
    headers,
    signal,
    ...(ca && { ca }),
  };
  if (proxyUrl === undefined) return createDirectRequest(url, options, transport);
  const proxy = new URL(proxyUrl);
  if (url.protocol === 'http:') {
    const { hostname, port } = proxy;
    const path = url.href;
    const viaProxy = { host: url.host, ...headers, ...proxyHeaders(proxy) };
    return httpRequest({ hostname, port, path, method: options.method, headers: viaProxy, signal, agent: httpAgent });
  }
  const socket = await openTunnel({ proxy, target: url, signal });
  const servername = url.hostname;
  return httpsRequest(url, {
    ...options,
    agent: false,
    createConnection: () =>
      tlsConnect({ socket, servername, minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca && { ca }) }),
  });
}

function createDirectRequest(url: URL, options: RequestOptions, transport: DocumentTransport): ClientRequest {
  const { allowPrivateAddresses } = transport;
  const looked = allowPrivateAddresses ? options : { ...options, lookup: lookupPublicAddress };
  const isSecure = url.protocol === 'https:';
  const outgoing = isSecure
    ? httpsRequest(url, { ...looked, agent: httpsAgent })
    : httpRequest(url, { ...looked, agent: httpAgent });
  outgoing.on('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      // Checks the connected address, because a name can resolve differently a moment later.
      const isAllowed = allowPrivateAddresses || isPublicAddress(socket.remoteAddress ?? '');
      if (!isAllowed) outgoing.destroy(new Error('The connected address is not public.'));
    });
  });
  return outgoing;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // An exception in the loop destroys the connection.
    if (length > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  // The connection ended before the announced length.
  if (!response.complete) throw new Error('The answer is not complete.');
  return Buffer.concat(chunks);
}

function refusedAnswer(response: IncomingMessage, what: string): Error {
  response.destroy();
  return new Error(`The answer is not acceptable: ${what}.`);
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** A dns.lookup that refuses a name if any of its addresses is not public, before connecting. */
function lookupPublicAddress(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) {
      callback(error ?? new Error('The host name does not resolve to an address.'), []);
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new Error('The host resolves to an address that is not public.'), []);
    } else if (options.all === true) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  });
}
