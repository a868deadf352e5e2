import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { interactionIdHeader } from './interaction-id.js';

/** What never becomes a request that a route could answer: no HTTP at all, headers beyond all bounds, or not whole in time. */
export class UnreadableRequests {
  /** connections on which the head of some request has come to its end */
  readonly #askers = new WeakSet<Socket>();

  /** @param server whose connections these are */
  watch(server: Server): void {
    server.on('request', ({ socket }) => this.#askers.add(socket));
  }

  /** Gives a plain answer on the socket, where there is anybody who could take it for one. */
  answer(error: Error & { code?: string }, socket: Socket): void {
    const { code = '' } = error;
    const isTooLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
    // Where the handshake has failed, or has not come to its end in time, there is no way to say anything. A browser that has opened a
    // connection in advance would take an answer for that to its next request.
    const isMute = /^(?:ECONNRESET|ERR_(?:SSL|TLS)_)/.test(code) || (isTooLate && !this.#askers.has(socket));
    if (isMute || !socket.writable) {
      socket.destroy();
      return;
    }
    socket.end(
      `HTTP/1.1 ${isTooLate ? statuses.tooLate : code === 'HPE_HEADER_OVERFLOW' ? statuses.tooLarge : statuses.other}\r\n` +
        `${interactionIdHeader}: ${randomUUID()}\r\ndate: ${new Date().toUTCString()}\r\n` +
        'content-length: 0\r\nconnection: close\r\n\r\n',
    );
  }
}

const statuses = {
  tooLate: '408 Request Timeout',
  tooLarge: '431 Request Header Fields Too Large',
  other: '400 Bad Request',
} as const;
