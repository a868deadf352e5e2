import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

const heartbeatMilliseconds = 15_000;
const mostStreams = 30;
/** Bytes that a browser has not read yet; with more, its stream is ended. */
const mostBuffered = 1_048_576;

/** The browsers that show a page which updates itself (server-sent events, HTML s9.2). */
export class EventStreams {
  readonly #streams = new Set<ServerResponse>();

  /**
   * Makes the answer to a request a stream.
   * @param onClose called once, when the browser has gone
   * @returns sends an event to this browser; undefined if there are too many
   */
  open(reply: FastifyReply, onClose: () => void): ((name: string, data: string) => void) | undefined {
    if (this.#streams.size >= mostStreams) return undefined;
    const { raw } = reply;
    const headers = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
    reply.hijack();
    raw.writeHead(200, {
      ...(Object.fromEntries(headers) as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
    });
    raw.write('retry: 2000\n\n');
    this.#streams.add(raw);
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMilliseconds).unref();
    raw.on('close', () => {
      clearInterval(heartbeat);
      this.#streams.delete(raw);
      onClose();
    });
    return (name, data) => {
      if (raw.writableLength > mostBuffered) raw.destroy();
      else
        raw.write(
          `event: ${name}\n${data
            .split('\n')
            .map((line) => `data: ${line}\n`)
            .join('')}\n`,
        );
    };
  }

  /** Ends them all. */
  close(): void {
    for (const raw of this.#streams) raw.destroy();
  }
}
