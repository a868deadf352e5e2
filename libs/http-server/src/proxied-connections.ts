import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { AddressList } from './address-list.js';
import { parseProxyHeader, ProxyHeaderError, type ProxyHeader } from './proxy-header.js';

/** Time for a proxy to send its header, in milliseconds. */
const patienceMilliseconds = 5_000;

export interface ProxiedConnectionsOptions {
  /** whose connections begin with a PROXY header; all others are refused */
  readonly proxies: AddressList;
  /** headers that may be waited for at a time */
  readonly most: number;
  /** pause between two lines of the log about refused connections, in milliseconds; default: a minute */
  readonly quietMilliseconds?: number;
  /** reports why connections are refused: at most once per pause, for the latest one, with the count since */
  readonly onRefused: (refusal: { readonly reason: string; readonly address: string; readonly count: number }) => void;
}

/**
 * Reads the PROXY header of every connection before TLS; the sockets then report the client's address as their own.
 * Connections from elsewhere or without a header are closed silently: only the proxy may state a client's address.
 */
export function readProxyHeaders(server: Server, options: ProxiedConnectionsOptions): void {
  const { proxies, most } = options;
  const refuse = createRefusal(options);
  const waiting = new Set<Socket>();
  /** addresses of clients, by the proxy's own end of the connection */
  const sources = new Map<string, NonNullable<ProxyHeader['source']>>();
  const emit = server.emit.bind(server) as (event: string, ...values: unknown[]) => boolean;
  const begin = (socket: Socket): void => {
    // Already closed, as by a load balancer that only checks the port.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    if (!proxies.has(socket.remoteAddress)) return refuse(socket, 'not from an address of INGRESS_ADDRESSES');
    if (waiting.size >= most) return refuse(socket, 'too many connections without a PROXY header');
    waiting.add(socket);
    const end = connectionOf(socket);
    readHeader(socket, (header) => {
      waiting.delete(socket);
      if (header instanceof Error) return refuse(socket, header.message);
      if (header === undefined) return void socket.destroy();
      const { source } = header;
      if (source !== undefined) {
        sources.set(end, source);
        socket.once('close', () => sources.delete(end));
        tellSource(socket, source);
      }
      emit('connection', socket);
    });
  };
  Object.assign(server, {
    emit: (event: string, ...values: unknown[]): boolean => {
      if (event === 'connection') begin(values[0] as Socket);
      else return emit(event, ...values);
      return true;
    },
  });
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    const source = sources.get(connectionOf(socket));
    if (source !== undefined) tellSource(socket, source);
  });
}

/** Identifies a connection: the same for the TLS socket and the one below it. */
function connectionOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

function tellSource(socket: Socket, { address, port }: NonNullable<ProxyHeader['source']>): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  Object.defineProperty(socket, 'remotePort', { value: port });
}

/**
 * @param done gets the header, or why there is no valid one, or undefined if the connection closed silently, like a
 * load balancer's port check
 */
function readHeader(socket: Socket, done: (header: ProxyHeader | ProxyHeaderError | undefined) => void): void {
  let bytes = Buffer.alloc(0);
  const finish = (header: ProxyHeader | ProxyHeaderError | undefined): void => {
    clearTimeout(timer);
    socket.off('readable', read).off('end', fail).off('close', fail).off('error', fail);
    done(header);
  };
  const fail = (): void =>
    finish(bytes.length === 0 ? undefined : new ProxyHeaderError('the connection ended within the PROXY header'));
  const read = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    bytes = Buffer.concat([bytes, chunk]);
    try {
      const header = parseProxyHeader(bytes);
      if (header === undefined) return;
      if (bytes.length > header.length) socket.unshift(bytes.subarray(header.length));
      finish(header);
    } catch (error) {
      finish(error as ProxyHeaderError);
    }
  };
  const timer = setTimeout(() => finish(new ProxyHeaderError('no PROXY header in time')), patienceMilliseconds).unref();
  socket.on('readable', read).on('end', fail).on('close', fail).on('error', fail);
}

/**
 * Closes a connection silently, and logs that occasionally: the first one immediately, those in the following pause in
 * one line at its end.
 */
function createRefusal({
  onRefused,
  quietMilliseconds = 60_000,
}: ProxiedConnectionsOptions): (socket: Socket, reason: string) => void {
  let count = 0;
  let latest = { reason: '', address: '' };
  let quiet: NodeJS.Timeout | undefined;
  const tell = (): void => {
    quiet = count === 0 ? undefined : setTimeout(tell, quietMilliseconds).unref();
    if (count > 0) onRefused({ ...latest, count });
    count = 0;
  };
  return (socket, reason) => {
    latest = { reason, address: socket.remoteAddress ?? '' }; // it may end at any moment
    socket.on('error', () => undefined); // its errors no longer matter
    socket.destroy();
    count += 1;
    if (quiet === undefined) tell();
  };
}
