import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { interactionIdHeader } from './interaction-id.js';

/** Answers what never becomes a request: not HTTP, oversized headers, incomplete in time, or for a tunnel. */
export class UnreadableRequests {
  /** connections with at least one complete request head */
  readonly #askers = new WeakSet<Socket>();

  /** @param server whose connections these are */
  watch(server: Server): void {
    server.on('request', ({ socket }) => this.#askers.add(socket));
    // CONNECT has no path (RFC 9110 s9.3.6). Without a listener Node would close the connection silently.
    server.on('connect', (_request, stream) => {
      const socket = stream as Socket;
      // Node no longer manages the connection: it has neither timeouts nor a listener for errors.
      socket.on('error', () => socket.destroy());
      socket.once('finish', () => socket.destroy());
      this.answer(new Error('CONNECT is not served.'), socket);
    });
  }

  /** Writes a plain answer to the socket, if the client can read it as one. */
  answer(error: Error & { code?: string }, socket: Socket): void {
    const { code = '' } = error;
    const isTooLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // After a failed or late handshake no answer is possible. A browser that preconnects would take it for the answer
    // to its next request.
    const isMute = /^(?:ECONNRESET|ERR_(?:SSL|TLS)_)/.test(code) || (isTooLate && !this.#askers.has(socket));
    if (isMute || !socket.writable) {
      socket.destroy();
      return;
    }
    const refused = code === 'HPE_HEADER_OVERFLOW' ? statuses.tooLarge : statuses.other;
    socket.end(
      `HTTP/1.1 ${isTooLate ? statuses.tooLate : refused}\r\n` +
        `${interactionIdHeader}: ${randomUUID()}\r\ndate: ${new Date().toUTCString()}\r\n` +
        'cache-control: no-store\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
    );
  }
}

const statuses = {
  tooLate: '408 Request Timeout',
  tooLarge: '431 Request Header Fields Too Large',
  other: '400 Bad Request',
} as const;
