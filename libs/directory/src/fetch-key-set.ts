import { lookup as resolve, type LookupAddress, type LookupOptions } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { parseKeySet, type KeySet } from '#libs/jws';
import { KeySetError } from './directory.errors.js';
import { isPublicAddress } from './public-address.js';

/** How key sets are fetched. */
export interface KeySetTransport {
  /** PEM of the authority of the directory's servers; the system's authorities without it */
  ca?: string | undefined;
  allowPrivateAddresses: boolean;
  /** for the whole of name look-up, connection, handshake and answer */
  timeoutMilliseconds: number;
  maxBytes: number;
  maxKeys: number;
}

/** Few connections at once, none kept: key sets are fetched seldom and must not become a way to load the machine. */
const agent = new Agent({ keepAlive: false, maxTotalSockets: 20 });

/**
 * Fetches and imports a JWK set (RFC 7517 s5). The address must have passed verifyKeySetAddress.
 * @throws KeySetError `unavailable` for whatever goes wrong: the answer of a foreign server is no fault of the caller
 */
export async function fetchKeySet(url: URL, transport: KeySetTransport): Promise<KeySet> {
  try {
    const body = await fetchDocument(url, transport);
    return parseKeySet(JSON.parse(body.toString('utf8')), { maxKeys: transport.maxKeys });
  } catch (cause) {
    throw new KeySetError('unavailable', `The key set at ${url.host} cannot be read.`, { cause });
  }
}

async function fetchDocument(url: URL, transport: KeySetTransport): Promise<Buffer> {
  const signal = AbortSignal.timeout(transport.timeoutMilliseconds);
  const response = await openResponse(url, transport, signal);
  // Only a plain 200: a redirect would lead past the list of hosts.
  if (response.statusCode !== 200) throw refusedAnswer(response, `status ${response.statusCode ?? 'unknown'}`);
  const coding = response.headers['content-encoding'] ?? 'identity';
  // What was not asked for is not unpacked: a small answer could grow without bound.
  if (coding !== 'identity') throw refusedAnswer(response, 'content coding');
  return readBody(response, transport.maxBytes);
}

function openResponse(url: URL, transport: KeySetTransport, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve: opened, reject } = withResolvers<IncomingMessage>();
  const outgoing = request(url, {
    agent,
    signal,
    minVersion: 'TLSv1.2',
    headers: {
      accept: 'application/jwk-set+json, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'key-set',
    },
    ...(transport.ca === undefined ? {} : { ca: transport.ca }),
    ...(transport.allowPrivateAddresses ? {} : { lookup: lookupPublicAddress }),
  });
  outgoing.on('socket', (socket) => {
    socket.once('secureConnect', () => {
      // The address that counts is the one connected to: a name can resolve differently a moment later.
      const isAllowed = transport.allowPrivateAddresses || isPublicAddress(socket.remoteAddress ?? '');
      if (!isAllowed) outgoing.destroy(new Error('The connected address is not public.'));
    });
  });
  outgoing.on('response', opened);
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop by an exception destroys the connection.
    if (length > maxBytes) throw new Error(`The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  // A connection that ended before the announced length has no complete document.
  if (!response.complete) throw new Error('The answer is not complete.');
  return Buffer.concat(chunks);
}

function refusedAnswer(response: IncomingMessage, what: string): Error {
  response.destroy();
  return new Error(`The answer is not acceptable: ${what}.`);
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** dns.lookup that refuses a name as soon as one of its addresses is not public, before any connection is made. */
function lookupPublicAddress(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) {
      callback(error ?? new Error('The host has no address.'), []);
    } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
      callback(new Error('The host resolves to an address that is not public.'), []);
    } else if (options.all === true) {
      callback(null, addresses);
    } else {
      callback(null, first.address, first.family);
    }
  });
}

interface Resolvers<Value> {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}

function withResolvers<Value>(): Resolvers<Value> {
  let resolvers: Omit<Resolvers<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolvePromise, reject) => {
    resolvers = { resolve: resolvePromise, reject };
  });
  if (resolvers === undefined) throw new TypeError('A promise runs its function at once.');
  return { promise, ...resolvers };
}
